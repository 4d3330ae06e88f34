// Long lists of records, each a few 32-bit numbers, sorted or as they come, in bounded memory.
//
// 1. push() records into a Sorter or a Sequence; past its limit it moves them to unnamed temporary
//    files: a Sorter as sorted runs.
// 2. finish() a Sorter once.
// 3. Read either with as many readers as wanted, from the beginning; a Sorter's merges its runs.
//
// The order of equal records is no question: records are compared whole. So neither the limit nor
// the number of threads changes what is read.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace miriam::lm {

// Where and with what lists are kept.
struct Workspace {
  std::string folder;  // of temporary files
  unsigned threads = 1;
};

// An unnamed file: gone with this object, and with the process.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& folder);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  std::uint64_t size() const { return size_; }  // in numbers
  void append(const std::uint32_t* data, std::size_t count);
  void read(std::uint64_t at, std::uint32_t* data, std::size_t count) const;

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

// A growing array that does not copy when it grows (large ones: the system moves the pages).
class Buffer {
 public:
  std::size_t size() const { return size_; }
  std::uint32_t* data() { return data_.get(); }
  const std::uint32_t* data() const { return data_.get(); }
  void append(const std::uint32_t* data, std::size_t count);
  void clear() { size_ = 0; }
  void free() { *this = Buffer(); }

 private:
  struct Free {
    void operator()(std::uint32_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint32_t[], Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Reads a stretch of a file, then an array, one record after another.
class Reader {
 public:
  Reader(std::size_t width, const TemporaryFile* file, std::uint64_t begin, std::uint64_t end,
         const Buffer* rest);
  // The record in front, or nullptr at the end.
  const std::uint32_t* peek() const { return at_ == end_ ? nullptr : at_; }
  void next() {
    at_ += width_;
    if (at_ == end_) refill();
  }

 private:
  void refill();

  std::size_t width_;
  const TemporaryFile* file_;
  std::uint64_t position_;
  std::uint64_t file_end_;
  const Buffer* rest_;
  std::vector<std::uint32_t> block_;
  const std::uint32_t* at_ = nullptr;
  const std::uint32_t* end_ = nullptr;
};

// Records in the order in which they were pushed.
class Sequence {
 public:
  Sequence(std::size_t width, std::uint64_t limit_bytes, const Workspace& workspace)
      : width_(width), limit_(limit_bytes / 4), workspace_(&workspace) {}
  std::size_t width() const { return width_; }
  void push(const std::uint32_t* record);
  Reader reader() const { return {width_, file_.get(), 0, file_ ? file_->size() : 0, &buffer_}; }

 private:
  std::size_t width_;
  std::uint64_t limit_;
  const Workspace* workspace_;
  Buffer buffer_;
  std::unique_ptr<TemporaryFile> file_;
};

// Merges sorted runs.
class MergeReader {
 public:
  MergeReader(std::size_t width, std::vector<Reader>&& runs);
  const std::uint32_t* peek() const { return heap_.empty() ? nullptr : runs_[heap_[0]].peek(); }
  void next();

 private:
  bool later(std::size_t a, std::size_t b) const;
  void sink();

  std::size_t width_;
  std::vector<Reader> runs_;
  std::vector<std::size_t> heap_;  // of runs that are not at their end, the least in front
};

// Records in lexicographic order.
class Sorter {
 public:
  Sorter(std::size_t width, std::uint64_t limit_bytes, const Workspace& workspace)
      : width_(width), limit_(limit_bytes / 4), workspace_(&workspace) {}
  void push(const std::uint32_t* record) {
    buffer_.append(record, width_);
    if (buffer_.size() >= limit_) spill();
  }
  void finish();
  MergeReader reader() const;

 private:
  void spill();

  std::size_t width_;
  std::uint64_t limit_;
  const Workspace* workspace_;
  Buffer buffer_;
  std::unique_ptr<TemporaryFile> file_;
  std::vector<std::uint64_t> run_ends_;  // in the file
};

// Sorts `count` records of `width` numbers in place; width <= kMaxOrder + 2.
void sort_records(std::uint32_t* data, std::size_t count, std::size_t width, unsigned threads);

}  // namespace miriam::lm
