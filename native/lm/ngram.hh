// What every part of the language model agrees on: orders, the three special words, logarithms.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "lexicon/vocabulary.hh"

namespace miriam::lm {

using lexicon::WordId;

inline constexpr std::size_t kMaxOrder = 10;

// The ids of <unk>, <s> and </s> in every vocabulary of a language model.
inline constexpr WordId kUnknown = 0;
inline constexpr WordId kBegin = 1;
inline constexpr WordId kEnd = 2;
inline constexpr WordId kSpecials = 3;

// Tables and ARPA files hold logarithms to base 10; whoever asks for a score gets a natural one.
// This is the one place where the first becomes the second.
inline float to_natural(float log10) { return static_cast<float>(log10 * 2.302585092994045684); }

// The log10 probability of <unk> where an ARPA file has none, as KenLM has it.
inline constexpr float kLogUnknown = -100;

// The back-off weight, while a model is made, of an n-gram that is no longer one's context.
inline constexpr float kNoBackoff = std::numeric_limits<float>::quiet_NaN();

}  // namespace miriam::lm
