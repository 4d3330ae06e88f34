// Word alignments of a bitext: the links of all sentence pairs, one after another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace miriam::align {

// Source word `source` and target word `target` of a sentence pair, both counted from 0.
struct Link {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// Links that lie elsewhere; those of a sentence pair are sorted and distinct.
struct LinksView {
  std::span<const Link> points;
  std::span<const std::uint64_t> ends;  // where each sentence pair ends in `points`

  std::size_t size() const { return ends.size(); }
  std::span<const Link> operator[](std::size_t pair) const {
    const std::uint64_t begin = pair == 0 ? 0 : ends[pair - 1];
    return points.subspan(begin, ends[pair] - begin);
  }
};

struct Links {
  std::vector<Link> points;
  std::vector<std::uint64_t> ends;

  LinksView view() const { return {points, ends}; }
};

// How many words the sentences of both sides have, as where each ends in its array of words.
struct Lengths {
  std::span<const std::uint64_t> source_ends;
  std::span<const std::uint64_t> target_ends;

  std::size_t size() const { return source_ends.size(); }
  std::uint64_t source(std::size_t pair) const { return length(source_ends, pair); }
  std::uint64_t target(std::size_t pair) const { return length(target_ends, pair); }

 private:
  static std::uint64_t length(std::span<const std::uint64_t> ends, std::size_t i) {
    return ends[i] - (i == 0 ? 0 : ends[i - 1]);
  }
};

// The links that lines of Pharaoh format ("0-0 1-2") give to the sentence pairs from `first` on.
// A point that is none, or lies outside its pair, is an InputError with `name` and the line; lines
// beyond the last sentence pair are not read.
Links parse_links(std::string_view text, const Lengths& lengths, std::size_t first,
                  std::string_view name);

// Lines of Pharaoh format, one a sentence pair.
std::string format_links(const LinksView& links);

}  // namespace miriam::align
