#include <charconv>
#include <cmath>
#include <sstream>

#include "base/error.hh"
#include "lm/arpa.hh"

namespace miriam::lm {
namespace {

constexpr std::size_t kWaiting = 32;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Cuts the next field off the front of `text`; empty at its end.
std::string_view cut_field(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view field = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return field;
}

template <class T>
bool parse(std::string_view field, T& value) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}

std::string section_name(std::size_t n) {
  std::string name = "\\";
  return name.append(std::to_string(n)).append("-grams:");
}

}  // namespace

lexicon::Vocabulary special_words() {
  lexicon::Vocabulary words;
  for (const char* word : {"<unk>", "<s>", "</s>"}) words.add(word);
  return words;
}

template <class... Parts>
void ArpaReader::fail(const Parts&... parts) const {
  std::ostringstream message;
  message << "line " << line_ << ": ";
  (message << ... << parts);
  throw InputError(message.str());
}

void ArpaReader::add(std::string_view block) {
  while (!block.empty()) {
    const std::size_t end = std::min(block.find('\n'), block.size() - 1);
    ++line_;
    std::string_view text = block.substr(0, end);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (!text.empty()) line(text);
    block.remove_prefix(end + 1);
  }
}

void ArpaReader::line(std::string_view text) {
  const bool command = text.front() == '\\';
  if (part_ == Part::kNgrams && !(command && (text == "\\end\\" || text.ends_with("-grams:")))) {
    ngram(text);
  } else if (part_ == Part::kBefore) {
    if (text != "\\data\\") fail("expected \\data\\; is this an ARPA file?");
    part_ = Part::kCounts;
  } else if (part_ == Part::kAfter) {
    fail("there is text after \\end\\");
  } else if (command) {
    section(text);
  } else {
    count(text);
  }
}

void ArpaReader::count(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::size_t n = 0;
  std::uint64_t count = 0;
  if (!text.starts_with("ngram ") || equals == std::string_view::npos ||
      !parse(text.substr(6, equals - 6), n) || !parse(text.substr(equals + 1), count)) {
    fail("expected 'ngram N=COUNT', found '", text, "'");
  }
  if (n != counts_.size() + 1) {
    fail("expected the count of ", counts_.size() + 1, "-grams, found that of ", n, "-grams");
  }
  if (n > kMaxOrder) fail("orders above ", kMaxOrder, " are not supported");
  if (count > kNoNode) fail("more than four billion n-grams of one order");
  counts_.push_back(count);
}

void ArpaReader::section(std::string_view text) {
  if (part_ == Part::kNgrams) end_section();
  if (text == "\\end\\") {
    if (counts_.empty() || order_ < counts_.size()) {
      fail("the section ", section_name(order_ + 1), " is missing");
    }
    part_ = Part::kAfter;
    return;
  }
  if (order_ == counts_.size() || text != section_name(order_ + 1)) {
    const std::string expected =
        order_ < counts_.size() ? section_name(order_ + 1) : std::string("\\end\\");
    fail("expected ", expected, ", found '", text, "'");
  }
  if (part_ == Part::kCounts) table_.emplace(counts_);
  part_ = Part::kNgrams;
  ++order_;
  seen_ = 0;
}

void ArpaReader::end_section() {
  add_waiting();
  if (seen_ != counts_[order_ - 1]) {
    fail("the section of ", order_, "-grams has ", seen_, " of them, and \\data\\ says ",
         counts_[order_ - 1]);
  }
  if (order_ > 1) return;
  lacked_unknown_ = !table_->has_unigram(kUnknown);
  for (const WordId word : {kBegin, kEnd}) {
    if (!table_->has_unigram(word)) {
      fail("the unigrams have no ", vocabulary_.view().word(word));
    }
  }
}

float ArpaReader::number(std::string_view field, const char* what) const {
  float value = 0;
  if (!parse(field, value) || !std::isfinite(value)) {
    fail("the ", what, " is '", field, "', not a finite number");
  }
  return value;
}

void ArpaReader::ngram(std::string_view text) {
  if (seen_++ == counts_[order_ - 1]) {
    fail("more ", order_, "-grams than \\data\\ says, which is ", counts_[order_ - 1]);
  }
  const float log10 = number(cut_field(text), "log probability");
  if (log10 > 0) fail("the log probability ", log10, " is positive");
  std::array<std::string_view, kMaxOrder> words;
  for (std::size_t i = 0; i < order_; ++i) words[i] = cut_field(text);
  if (words[order_ - 1].empty()) fail("an n-gram of fewer than ", order_, " words");
  const std::string_view field = cut_field(text);
  const float backoff = field.empty() ? kNoBackoff : number(field, "back-off weight");
  if (!cut_field(text).empty() || (order_ == counts_.size() && order_ > 1 && !field.empty())) {
    fail("an n-gram of more than ", order_, " words");
  }
  if (order_ == 1) return unigram(words[0], {log10, backoff});
  Waiting& read = waiting_.emplace_back(Waiting{{}, {log10, backoff}, line_});
  for (std::size_t i = 0; i < order_; ++i) {
    read.words[i] = vocabulary_.view().find(words[i] == "<UNK>" ? "<unk>" : words[i]);
    if (read.words[i] == lexicon::kNoWord) fail("'", words[i], "' is not among the unigrams");
  }
  table_->prefetch({read.words.data(), order_});
  if (waiting_.size() == kWaiting) add_waiting();
}

void ArpaReader::add_waiting() {
  const std::uint64_t line = line_;
  for (const Waiting& read : waiting_) {
    line_ = read.line;
    const Added added = table_->add({read.words.data(), order_}, read.weights);
    if (added == Added::kTwice) fail("this n-gram is listed twice");
    if (added == Added::kNoContext) {
      fail("the first ", order_ - 1, " words of this n-gram are not listed");
    }
  }
  line_ = line;
  waiting_.clear();
}

void ArpaReader::unigram(std::string_view word, Weights weights) {
  const WordId id = vocabulary_.add(word == "<UNK>" ? "<unk>" : word);
  if (table_->add_unigram(id, weights) == Added::kTwice) {
    fail("the word '", word, "' is listed twice");
  }
}

BuiltModel ArpaReader::finish() {
  if (part_ != Part::kAfter) fail("the file ends without \\end\\; it was cut short");
  return {std::move(vocabulary_), std::move(*table_)};
}

}  // namespace miriam::lm
