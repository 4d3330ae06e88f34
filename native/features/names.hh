// The names of features: how the key of a family is written, and read back.
//
// A name is the family's prefix, the member's name if the family has members, and the key, parted
// by colons. The layout of a family says what its keys are made of, in order:
//   s t    a source word, a target word; a target word may also be <s> or </s>
//   S T    words in their order, parted by '-'
//   A B    the same as sets
//   c C N  a class (or <s> or </s>), classes in their order, a set of classes
//   n      a number
//   j      a signed jump, or `neg` or `pos`
//   L      links within a rule, as in 0.0-1.2
// and any other character stands for itself. In the key a list is preceded by its length. Marks of
// the layout that a word has are escaped, so that different keys have different names, and every
// name is the name of one key.
//
// The keys of a family may have a copy of each of their ids for every domain (feature augmentation,
// Daumé III 2007); a copy is called AUG, the domain, and the name of what it is a copy of.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/feature_table.hh"
#include "features/words.hh"

namespace miriam::features {

// The keys of the sentence's begin and end, where a word or a class is expected.
inline constexpr std::uint32_t kBegin = 0xfffffffd, kEnd = 0xfffffffe;
// The keys of a jump that are only its direction.
inline constexpr std::uint32_t kForwards = 0x7fffffff, kBackwards = 0x80000000;

// Appends a text as it stands in a name: blanks and marks as % and the hexadecimal byte.
void escape(std::string_view text, std::string& out);

struct Layout {
  std::string prefix;
  std::string parts;
  std::vector<std::string> members;  // the names of a key's ids, if it has several
  bool copied = false;               // whether there is a copy for each domain
};

class Names {
 public:
  Names(FeatureTable& table, Words& source, Words& target, std::span<const std::string> domains);

  // Throws ConfigError if the layout is no layout or another family has the prefix.
  void add(std::uint32_t family, Layout layout);
  // Appends the name of a feature of a family that was added.
  void name(FeatureId id, std::string& out) const;
  // The feature of a name, a new one if it is new; -1 if it is no name of these families.
  FeatureId id(std::string_view name);

 private:
  class Reader;
  FeatureId id_of_copy(std::string_view name, std::uint32_t copy);

  FeatureTable& table_;
  Words& source_;
  Words& target_;
  std::vector<std::string> domains_;  // as they stand in names
  std::map<std::uint32_t, Layout> families_;
  std::map<std::string, std::uint32_t, std::less<>> by_prefix_;
  std::vector<std::uint32_t> key_;  // a buffer
  std::string text_;                // a buffer
};

// Weights read from lines of a name and a number.
struct NamedWeights {
  std::vector<FeatureId> ids;
  std::vector<double> values;
  std::vector<std::pair<std::size_t, std::string>> others;  // lines that are not of that kind
};
NamedWeights read_weights(std::string_view text, Names& names);

}  // namespace miriam::features
