// The errors of the core, one class for each of miriam/errors.py; module.cc translates them.
#pragma once

#include <stdexcept>
#include <string>

namespace miriam {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Data that cannot be used. A line number, where there is one, is part of the message.
class InputError : public Error {
 public:
  using Error::Error;
};

// An argument that cannot be.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// A table that is cut short, damaged or of another version.
class ModelError : public Error {
 public:
  using Error::Error;
};

// The caller asked a running call to stop (Ctrl-C).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace miriam
