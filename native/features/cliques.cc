#include "features/cliques.hh"

#include <numeric>

#include "base/error.hh"

namespace miriam::features {

Cliques find_cliques(std::span<const std::uint64_t> source_ends,
                     std::span<const std::uint64_t> target_ends,
                     std::span<const std::uint64_t> link_ends,
                     std::span<const std::uint32_t> links) {
  Cliques out;
  const auto size = [](std::span<const std::uint64_t> ends) {
    return ends.empty() ? 0 : ends.back();
  };
  out.of_source.assign(size(source_ends), -1);
  out.of_target.assign(size(target_ends), -1);
  if (target_ends.size() != source_ends.size() || link_ends.size() != source_ends.size() ||
      links.size() != size(link_ends))
    throw ModelError("rules whose arrays do not fit together");
  std::uint64_t s = 0, t = 0, link = 0;
  std::vector<std::uint32_t> up;  // of each word, those of the target behind: one of its clique
  for (std::size_t rule = 0; rule < source_ends.size(); ++rule) {
    const std::uint64_t sources = source_ends[rule] - s, targets = target_ends[rule] - t;
    up.resize(sources + targets);
    std::iota(up.begin(), up.end(), 0);
    const auto root = [&](std::uint32_t word) {
      while (up[word] != word) word = up[word] = up[up[word]];
      return word;
    };
    const std::uint64_t first = link;
    for (; link < link_ends[rule]; ++link) {
      if (links[link] >> 8 >= sources || (links[link] & 255) >= targets)
        throw ModelError("a rule with a link to a word that it does not have");
      const auto target = static_cast<std::uint32_t>(sources + (links[link] & 255));
      const std::uint32_t a = root(links[link] >> 8), b = root(target);
      up[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint64_t l = first; l < link; ++l) {
      // The root is the first source word, so that cliques are numbered in the order of these.
      const std::uint32_t source = links[l] >> 8, target = links[l] & 255;
      std::int32_t& clique = out.of_source[s + root(source)];
      if (clique < 0) {
        clique = static_cast<std::int32_t>(out.rules.size());
        out.rules.push_back(static_cast<std::uint32_t>(rule));
      }
      out.of_source[s + source] = clique;
      out.of_target[t + target] = clique;
    }
    s = source_ends[rule];
    t = target_ends[rule];
  }
  return out;
}

}  // namespace miriam::features
