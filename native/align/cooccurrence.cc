#include "align/cooccurrence.hh"

#include <algorithm>

#include "base/error.hh"
#include "base/parallel.hh"

namespace miriam::align {
namespace {

constexpr std::size_t kRowTasks = 256;

struct Occurrence {
  std::uint32_t pair;
  std::uint32_t position;
};

// Where each source word occurs, in the order of the bitext.
class Occurrences {
 public:
  Occurrences(const SentencesView& sentences, std::size_t words) : ends_(words + 1) {
    for (const WordId word : sentences.ids) ++ends_[word + 1];
    for (std::size_t word = 0; word < words; ++word) ends_[word + 1] += ends_[word];
    // ends_[w] is now where word w begins; filling moves it to where it ends.
    all_.resize(sentences.ids.size());
    for (std::size_t pair = 0; pair < sentences.size(); ++pair) {
      std::uint32_t position = 0;
      for (const WordId word : sentences[pair]) {
        all_[ends_[word]++] = {static_cast<std::uint32_t>(pair), position++};
      }
    }
  }

  std::span<const Occurrence> of(std::size_t word) const {
    const std::uint64_t begin = word == 0 ? 0 : ends_[word - 1];
    return std::span(all_).subspan(begin, ends_[word] - begin);
  }

 private:
  std::vector<std::uint64_t> ends_;
  std::vector<Occurrence> all_;
};

void check_ids(std::span<const WordId> ids, std::size_t words) {
  if (std::any_of(ids.begin(), ids.end(), [words](WordId id) { return id >= words; })) {
    throw ConfigError("a word id that is not in the vocabulary of " + std::to_string(words) +
                      " words");
  }
}

}  // namespace

Cooccurrence::Cooccurrence(const Bitext& bitext, const Vocabularies& sizes, unsigned threads,
                           Progress& progress)
    : row_ends_(sizes.source), cell_begins_(bitext.size() + 1) {
  check_ids(bitext.source.ids, sizes.source);
  check_ids(bitext.target.ids, sizes.target);
  for (std::size_t pair = 0; pair < bitext.size(); ++pair) {
    cell_begins_[pair + 1] =
        cell_begins_[pair] + bitext.source[pair].size() * bitext.target[pair].size();
  }
  cells_.resize(cell_begins_.back());
  const Occurrences occurrences(bitext.source, sizes.source);
  const std::size_t words_per_task = sizes.source / kRowTasks + 1;
  std::vector<std::vector<WordId>> rows(kRowTasks);
  progress.expect(kRowTasks);
  parallel_for(kRowTasks, threads, [&](std::size_t task) {
    std::vector<std::uint32_t> number(sizes.target);  // of a target word in the row, from 1
    std::vector<WordId>& targets = rows[task];
    const std::size_t last = std::min(sizes.source, (task + 1) * words_per_task);
    for (std::size_t word = task * words_per_task; word < last; ++word) {
      const std::size_t begin = targets.size();
      for (const auto [pair, position] : occurrences.of(word)) {
        for (const WordId target : bitext.target[pair]) {
          if (number[target] == 0) targets.push_back(target);
          number[target] = 1;
        }
      }
      const std::span row = std::span(targets).subspan(begin);
      std::sort(row.begin(), row.end());
      for (std::uint32_t k = 0; k < row.size(); ++k) number[row[k]] = k + 1;
      for (const auto [pair, position] : occurrences.of(word)) {
        const auto sentence = bitext.target[pair];
        std::uint32_t* cell = cells_.data() + cell_begins_[pair] + position * sentence.size();
        for (const WordId target : sentence) *cell++ = number[target] - 1;
      }
      for (const WordId target : row) number[target] = 0;
      row_ends_[word] = row.size();
    }
    progress.advance();
  });
  std::uint64_t total = 0;
  for (std::uint64_t& end : row_ends_) end = total += end;
  targets_.reserve(total);
  for (std::vector<WordId>& part : rows) {
    targets_.insert(targets_.end(), part.begin(), part.end());
    std::vector<WordId>().swap(part);
  }
}

}  // namespace miriam::align
