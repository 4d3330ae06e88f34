// How a word has been rewritten: the edits between a spelling and another, as features.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace miriam::features {

// Words of code points, one after another.
struct CodePoints {
  std::span<const std::uint32_t> items;
  std::span<const std::uint64_t> ends;

  // Throws ConfigError where the ends do not fit.
  void check() const;
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    const std::uint64_t begin = i ? ends[i - 1] : 0;
    return items.subspan(begin, ends[i] - begin);
  }
};

// The features of a batch of candidates, row by row.
struct EditRows {
  std::vector<double> distances;    // Levenshtein's, from the candidate's source
  std::vector<std::uint64_t> ends;  // of each row in `ids`
  std::vector<std::int32_t> ids;    // one id may come twice in a row
};

// Numbers features of edits. Neighbouring edits of the cheapest alignment are one; each has four
// features: what became what (`aa>o`), the same with the character before (`^|aa>o`), with the one
// after (`aa>o|$`), and with both. The edges of a word are `^` and `$`.
class EditFeatures {
 public:
  std::size_t size() const { return names_.size(); }
  const std::vector<std::u32string>& names() const { return names_; }
  std::int32_t add(const std::u32string& name);

  // `candidate_ends` says where the candidates of each source end. New features are numbered if
  // they may `grow`, and left out otherwise.
  EditRows rows(const CodePoints& sources, std::span<const std::uint64_t> candidate_ends,
                const CodePoints& candidates, bool grow);

 private:
  std::int32_t find(const std::u32string& name, bool grow);

  std::unordered_map<std::u32string, std::int32_t> ids_;
  std::vector<std::u32string> names_;
};

}  // namespace miriam::features
