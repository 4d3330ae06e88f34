#include <bit>
#include <charconv>
#include <cmath>
#include <memory>

#include "base/parallel.hh"
#include "lm/arpa.hh"

namespace miriam::lm {
namespace {

constexpr std::size_t kPieces = 16;   // formatted side by side
constexpr std::size_t kPiece = 8192;  // n-grams

// Appends a number with as many digits as tell it from all others; -0 as the 0 that it means.
void append(std::string& out, float value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value == 0 ? 0.0f : value);
  out.append(digits, result.ptr);
}

void append_ngrams(std::string& out, const std::vector<std::uint32_t>& records, std::size_t n,
                   bool highest, const lexicon::VocabularyView& vocabulary) {
  for (std::size_t i = 0; i < records.size(); i += n + 2) {
    append(out, std::bit_cast<float>(records[i + n]));
    for (std::size_t k = 0; k < n; ++k) {
      out += k == 0 ? '\t' : ' ';
      out += vocabulary.word(records[i + k]);
    }
    if (!highest) {
      const auto backoff = std::bit_cast<float>(records[i + n + 1]);
      out += '\t';
      append(out, std::isnan(backoff) ? 0.0f : backoff);  // none means 0
    }
    out += '\n';
  }
}

}  // namespace

ArpaWriter::ArpaWriter(NgramSource source, unsigned threads)
    : source_(std::move(source)), threads_(threads) {}

std::string ArpaWriter::next() {
  std::string out;
  if (order_ == 0) {
    out = "\\data\\\n";
    for (std::size_t n = 1; n <= source_.counts.size(); ++n) {
      out += "ngram " + std::to_string(n) + "=" + std::to_string(source_.counts[n - 1]) + "\n";
    }
  } else if (order_ <= source_.counts.size()) {
    out = ngrams();
  }
  if (!out.empty() && order_ > 0) return out;
  if (++order_ <= source_.counts.size()) {
    return out + "\n\\" + std::to_string(order_) + "-grams:\n";
  }
  return order_ == source_.counts.size() + 1 ? "\n\\end\\\n" : "";
}

// As many n-grams as the pieces hold.
std::string ArpaWriter::ngrams() {
  std::vector<std::vector<std::uint32_t>> records(kPieces);
  std::vector<std::string> texts(kPieces);
  for (auto& piece : records) {
    piece.reserve(kPiece * (order_ + 2));
    source_.read(order_, kPiece, piece);
  }
  const bool highest = order_ == source_.counts.size();
  parallel_for(kPieces, threads_, [&](std::size_t i) {
    append_ngrams(texts[i], records[i], order_, highest, source_.vocabulary);
  });
  std::string out;
  for (const std::string& text : texts) out += text;
  return out;
}

NgramSource table_source(TableView table, lexicon::VocabularyView vocabulary,
                         std::vector<std::uint64_t> counts) {
  const auto read = [table, at = std::vector<Node>(kMaxOrder + 1)](
                        std::size_t n, std::size_t most,
                        std::vector<std::uint32_t>& records) mutable {
    std::array<WordId, kMaxOrder> words;
    const auto end = static_cast<Node>(table.words() + (n == 1 ? 0 : table.slots()));
    Node& node = at[n];
    if (n > 1 && node == 0) node = static_cast<Node>(table.words());
    for (; node < end && most > 0; ++node) {
      if (!table.taken(node) || table.words_of(node, words.data()) != n) continue;
      const Weights& weights = table.weights(node);
      records.insert(records.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
      records.push_back(std::bit_cast<std::uint32_t>(weights.log10()));
      records.push_back(std::bit_cast<std::uint32_t>(weights.backoff()));
      --most;
    }
  };
  return {std::move(counts), vocabulary, read};
}

}  // namespace miriam::lm
