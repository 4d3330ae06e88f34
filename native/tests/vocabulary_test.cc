#include "lexicon/vocabulary.hh"

#include <string>

#include "tests/check.hh"

namespace {

using namespace miriam::lexicon;

void words_keep_their_ids_while_the_table_grows() {
  Vocabulary words;
  for (WordId i = 0; i < 1000; ++i) CHECK(words.add("w" + std::to_string(i)) == i);
  for (WordId i = 0; i < 1000; ++i) CHECK(words.view().find("w" + std::to_string(i)) == i);
  CHECK(words.view().word(0) == "w0");
  CHECK(words.view().word(999) == "w999");
  CHECK(words.view().find("x") == kNoWord);
}

void lines_become_sentences() {
  Vocabulary words;
  const Sentences sentences = encode("ein  hund\n\na\tb", words);
  CHECK(sentences.ids == (std::vector<WordId>{0, 1, 2, 3}));
  CHECK(sentences.ends == (std::vector<std::uint64_t>{2, 2, 4}));
  CHECK(encode("", words).ends.empty());
  CHECK(encode("hund x\n", words.view()).ids == (std::vector<WordId>{1, kNoWord}));
}

}  // namespace

int main() {
  words_keep_their_ids_while_the_table_grows();
  lines_become_sentences();
  return miriam::test::failures();
}
