#include "tune/moses.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/error.hh"

namespace miriam::tune {
namespace {

constexpr std::string_view kBar = "|||";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// What stands before the next bar, trimmed; `line` goes on behind it. Nothing: the line is used up.
std::optional<std::string_view> next_field(std::optional<std::string_view>& line) {
  if (!line) return std::nullopt;
  const std::size_t bar = line->find(kBar);
  const std::string_view field = trim(line->substr(0, bar));
  if (bar == std::string_view::npos)
    line.reset();
  else
    line = line->substr(bar + kBar.size());
  return field;
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

class Parser {
 public:
  Parser(std::string_view block, lexicon::Vocabulary& names, NBestLines& out)
      : block_(block), names_(names), out_(out) {}

  void line(std::string_view text) {
    std::optional<std::string_view> rest = text;
    const std::string_view id = *next_field(rest);
    const std::optional<std::string_view> hypothesis = next_field(rest);
    const std::optional<std::string_view> features = next_field(rest);
    if (!features) fail("expected `id ||| hypothesis ||| features ||| score`");
    std::int64_t sentence = -1;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), sentence);
    if (error != std::errc() || end != id.data() + id.size() || sentence < 0)
      fail("the sentence number '" + std::string(id) + "' is not a whole number from 0 on");
    const std::optional<std::string_view> score = next_field(rest);
    double total = std::numeric_limits<double>::quiet_NaN();
    if (score && !score->empty()) total = value_of(*score, "the score");
    out_.sentences.push_back(sentence);
    out_.hypothesis_begin.push_back(hypothesis->data() - block_.data());
    out_.hypothesis_end.push_back(out_.hypothesis_begin.back() +
                                  static_cast<std::int64_t>(hypothesis->size()));
    out_.totals.push_back(total);
    this->features(*features);
    drop_zeros();
    out_.offsets.push_back(static_cast<std::int64_t>(out_.ids.size()));
  }

 private:
  [[noreturn]] static void fail(const std::string& message) { throw InputError(message); }

  static double value_of(std::string_view text, const std::string& what) {
    const std::optional<double> value = number(text);
    if (!value) fail(what + " '" + std::string(text) + "' is not a finite number");
    return *value;
  }

  void features(std::string_view text) {
    group_.clear();
    std::string_view name;
    lexicon::for_each_token(
        text,
        [&](std::string_view token) {
          const std::size_t equals = token.rfind('=');
          if (equals != std::string_view::npos && equals + 1 == token.size()) {
            end_group(name);
            name = token.substr(0, equals);
            if (name.empty()) fail("a feature without a name, '='");
          } else if (equals != std::string_view::npos && equals > 0) {
            end_group(name);
            name = {};
            const std::string_view sparse = token.substr(0, equals);
            add(sparse, value_of(token.substr(equals + 1),
                                 "feature '" + std::string(sparse) + "': the value"));
          } else if (name.empty()) {
            fail("the feature value '" + std::string(token) +
                 "' has no name; expected `Name= value` or `name=value`");
          } else {
            group_.push_back(value_of(token, "feature '" + std::string(name) + "': the value"));
          }
        },
        [] {});
    end_group(name);
  }

  void end_group(std::string_view name) {
    if (group_.size() == 1) {
      add(name, group_[0]);
    } else {
      for (std::size_t i = 0; i < group_.size(); ++i) {
        full_name_.assign(name).append(1, '.').append(std::to_string(i));
        add(full_name_, group_[i]);
      }
    }
    group_.clear();
  }

  // A feature that stands twice in a line counts with the sum.
  void add(std::string_view name, double value) {
    const lexicon::WordId id = names_.add(name);
    if (id >= last_at_.size()) last_at_.resize(names_.size() + names_.size() / 2, -1);
    const auto begin = out_.offsets.back();
    std::int64_t& at = last_at_[id];
    if (at >= begin && at < static_cast<std::int64_t>(out_.ids.size()) &&
        out_.ids[static_cast<std::size_t>(at)] == static_cast<std::int32_t>(id)) {
      out_.values[static_cast<std::size_t>(at)] += value;
      return;
    }
    at = static_cast<std::int64_t>(out_.ids.size());
    out_.ids.push_back(static_cast<std::int32_t>(id));
    out_.values.push_back(value);
  }

  void drop_zeros() {
    auto kept = static_cast<std::size_t>(out_.offsets.back());
    for (std::size_t i = kept; i < out_.ids.size(); ++i) {
      if (out_.values[i] == 0) continue;
      out_.ids[kept] = out_.ids[i];
      out_.values[kept++] = out_.values[i];
    }
    out_.ids.resize(kept);
    out_.values.resize(kept);
  }

  std::string_view block_;
  lexicon::Vocabulary& names_;
  NBestLines& out_;
  std::vector<double> group_;
  std::string full_name_;
  std::vector<std::int64_t> last_at_;  // by feature: where in `ids` it was added last
};

}  // namespace

NBestLines parse_moses(std::string_view block, std::size_t first_line, lexicon::Vocabulary& names) {
  NBestLines lines;
  lines.offsets.push_back(0);
  Parser parser(block, names, lines);
  std::size_t number = first_line;
  for (std::size_t begin = 0; begin < block.size(); ++number) {
    const std::size_t end = std::min(block.find('\n', begin), block.size());
    try {
      parser.line(block.substr(begin, end - begin));
    } catch (const InputError& error) {
      throw InputError("line " + std::to_string(number) + ": " + error.what());
    }
    begin = end + 1;
  }
  return lines;
}

}  // namespace miriam::tune
