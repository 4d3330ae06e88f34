#include "features/edits.hh"

#include <algorithm>

#include "base/error.hh"

namespace miriam::features {
namespace {

using Word = std::span<const std::uint32_t>;

struct Edit {
  std::size_t begin, end;  // in the source
  std::u32string from, to;
};

// The cells of the dynamic programme: [i][j] is the distance of the first i and j characters.
void fill(Word source, Word target, std::vector<std::uint32_t>& cells) {
  const std::size_t width = target.size() + 1;
  cells.resize((source.size() + 1) * width);
  for (std::size_t j = 0; j < width; ++j) cells[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= source.size(); ++i) {
    std::uint32_t* row = cells.data() + i * width;
    const std::uint32_t* above = row - width;
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const std::uint32_t diagonal = above[j - 1] + (source[i - 1] != target[j - 1]);
      row[j] = std::min({diagonal, above[j] + 1, row[j - 1] + 1});
    }
  }
}

// The edits from the end to the beginning, neighbours merged; diagonals go before deletions, and
// these before insertions.
void trace(Word source, Word target, const std::vector<std::uint32_t>& cells,
           std::vector<Edit>& edits) {
  const std::size_t width = target.size() + 1;
  edits.clear();
  std::size_t i = source.size(), j = target.size();
  while (i || j) {
    const std::uint32_t here = cells[i * width + j];
    const bool same = i && j && source[i - 1] == target[j - 1];
    const bool diagonal = i && j && here == cells[(i - 1) * width + j - 1] + !same;
    if (diagonal && same) {
      --i, --j;
      continue;
    }
    const bool deletes = diagonal || (i && here == cells[(i - 1) * width + j] + 1);
    const bool inserts = diagonal || !deletes;
    if (edits.empty() || edits.back().begin != i) edits.push_back({i, i, {}, {}});
    Edit& edit = edits.back();
    if (deletes) edit.from.insert(edit.from.begin(), static_cast<char32_t>(source[--i]));
    if (inserts) edit.to.insert(edit.to.begin(), static_cast<char32_t>(target[--j]));
    edit.begin = i;
  }
}

}  // namespace

void CodePoints::check() const {
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end < begin || end > items.size()) throw ConfigError("words that do not fit together");
    begin = end;
  }
}

std::int32_t EditFeatures::add(const std::u32string& name) {
  const auto [place, is_new] = ids_.emplace(name, static_cast<std::int32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

std::int32_t EditFeatures::find(const std::u32string& name, bool grow) {
  if (grow) return add(name);
  const auto place = ids_.find(name);
  return place == ids_.end() ? -1 : place->second;
}

EditRows EditFeatures::rows(const CodePoints& sources,
                            std::span<const std::uint64_t> candidate_ends,
                            const CodePoints& candidates, bool grow) {
  sources.check();
  candidates.check();
  if (candidate_ends.size() != sources.ends.size() ||
      !std::is_sorted(candidate_ends.begin(), candidate_ends.end()) ||
      (candidate_ends.empty() ? 0 : candidate_ends.back()) != candidates.ends.size()) {
    throw ConfigError("candidates that do not fit their sources");
  }
  EditRows rows;
  std::vector<std::uint32_t> cells;
  std::vector<Edit> edits;
  std::u32string name;
  std::size_t candidate = 0;
  for (std::size_t s = 0; s < sources.ends.size(); ++s) {
    const Word source = sources[s];
    for (; candidate < candidate_ends[s]; ++candidate) {
      const Word target = candidates[candidate];
      fill(source, target, cells);
      trace(source, target, cells, edits);
      rows.distances.push_back(cells.back());
      for (const Edit& edit : edits) {
        const char32_t before = edit.begin ? static_cast<char32_t>(source[edit.begin - 1]) : U'^';
        const char32_t after =
            edit.end < source.size() ? static_cast<char32_t>(source[edit.end]) : U'$';
        for (const int context : {0, 1, 2, 3}) {
          name.clear();
          if (context & 1) name.append({before, U'|'});
          name.append(edit.from).append(1, U'>').append(edit.to);
          if (context & 2) name.append({U'|', after});
          if (const std::int32_t id = find(name, grow); id >= 0) rows.ids.push_back(id);
        }
      }
      rows.ends.push_back(rows.ids.size());
    }
  }
  return rows;
}

}  // namespace miriam::features
