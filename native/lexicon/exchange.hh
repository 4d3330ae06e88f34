// Word classes by exchange: one word after another moves to the class where the text is likeliest.
//
// The model is one-sided (Whittaker and Woodland 2001): p(w | h) = p(c(w) | h) p(w | c(w)), where h
// is the word before, itself and not its class. With N counts of the text, its log likelihood is,
// but for terms that no class changes,
//
//     F = sum over h, c of N(h, c) ln N(h, c)  -  sum over c of N(c) ln N(c).
//
// 1. An Exchange counts what precedes each word, and holds N(h, c) and N(c) for the first classes.
// 2. improve(order) goes through the words in this order, a batch at a time. The best class of each
//    word of a batch is found in parallel, with the counts as they were when the batch began; then
//    the words move one after another, each only if with the counts of that moment F grows.
// So the threads change nothing, and no call lowers F. A class keeps its last word.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hh"
#include "lexicon/class_counts.hh"
#include "lexicon/vocabulary.hh"

namespace miriam::lexicon {

// What precedes each word: histories and how often, one row a word.
struct Predecessors {
  struct Entry {
    WordId history;
    std::uint32_t count;
  };
  std::vector<std::uint64_t> ends;  // of each word's row
  std::vector<Entry> entries;

  std::size_t words() const { return ends.size(); }
  std::span<const Entry> row(std::size_t word) const {
    const std::uint64_t begin = word == 0 ? 0 : ends[word - 1];
    return {entries.data() + begin, ends[word] - begin};
  }
};

// `words[id]`, below `count`, is the word as which a token `id` is predicted; as a history it is
// itself, and the history of the first token of a sentence is `words.size()`.
Predecessors count_predecessors(std::span<const WordId> ids, std::span<const std::uint64_t> ends,
                                std::span<const WordId> words, std::size_t count, unsigned threads);

class Exchange {
 public:
  // `first` is the class of each word, below `classes`; each class has one word or more.
  Exchange(Predecessors predecessors, std::size_t histories, std::span<const ClassId> first,
           std::size_t classes);

  // F, from the counts.
  double objective() const;
  // How many words changed their class.
  std::uint64_t improve(std::span<const WordId> order, std::size_t batch, unsigned threads,
                        Progress& progress);
  const std::vector<ClassId>& classes() const { return class_of_; }

 private:
  ClassId best_class(WordId word, std::span<double> gains) const;
  double gain(WordId word, ClassId to) const;
  void move(WordId word, ClassId to);

  Predecessors predecessors_;
  std::vector<std::uint64_t> word_count_;   // N(w)
  std::vector<std::uint64_t> class_count_;  // N(c)
  std::vector<std::uint64_t> class_words_;  // how many words a class has
  std::vector<ClassId> class_of_;
  ClassCounts history_count_;  // N(h, c)
  XLogX x_log_x_;
};

}  // namespace miriam::lexicon
