// ARPA files: the text form of a language model, read with every defect named, and written.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lexicon/vocabulary.hh"
#include "lm/ngram.hh"
#include "lm/table.hh"

namespace miriam::lm {

// A model in memory, ready to be stored: words and n-grams.
struct BuiltModel {
  lexicon::Vocabulary vocabulary;
  TableBuilder table;
};

// A vocabulary that has <unk>, <s> and </s> and nothing else yet.
lexicon::Vocabulary special_words();

// Reads a file block by block.
class ArpaReader {
 public:
  // Takes up whole lines, each ended by a line feed.
  void add(std::string_view block);
  // The model, when the last block has been added.
  BuiltModel finish();
  bool lacked_unknown() const { return lacked_unknown_; }

 private:
  enum class Part { kBefore, kCounts, kNgrams, kAfter };

  void line(std::string_view text);
  void count(std::string_view text);
  void section(std::string_view text);
  void end_section();
  void ngram(std::string_view text);
  void unigram(std::string_view word, Weights weights);
  void add_waiting();
  float number(std::string_view field, const char* what) const;
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const;

  Part part_ = Part::kBefore;
  // An n-gram that was read; several enter the table together.
  struct Waiting {
    std::array<WordId, kMaxOrder> words;
    Weights weights;
    std::uint64_t line;
  };

  std::vector<Waiting> waiting_;
  std::uint64_t line_ = 0;
  std::vector<std::uint64_t> counts_;
  std::size_t order_ = 0;   // of the section
  std::uint64_t seen_ = 0;  // n-grams in the section
  lexicon::Vocabulary vocabulary_ = special_words();
  std::optional<TableBuilder> table_;
  bool lacked_unknown_ = false;
};

// Where n-grams to be written come from: order by order, as records of words (oldest first) and
// the bits of log10 and back-off.
struct NgramSource {
  std::vector<std::uint64_t> counts;  // by order
  lexicon::VocabularyView vocabulary;
  // Appends up to `most` more records of order n; none when there are no more.
  std::function<void(std::size_t n, std::size_t most, std::vector<std::uint32_t>& records)> read;
};

// All n-grams of a table.
NgramSource table_source(TableView table, lexicon::VocabularyView vocabulary,
                         std::vector<std::uint64_t> counts);

class ArpaWriter {
 public:
  ArpaWriter(NgramSource source, unsigned threads);
  // The next piece of the file; an empty one at the end.
  std::string next();

 private:
  std::string ngrams();

  NgramSource source_;
  unsigned threads_;
  std::size_t order_ = 0;  // of the section being written; beyond the last: all is written
};

}  // namespace miriam::lm
