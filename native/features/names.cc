#include "features/names.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.hh"

namespace miriam::features {
namespace {

constexpr std::string_view kMarks = "%=|>-:,";
constexpr std::string_view kParts = "stSTABcCNnjL";
constexpr std::string_view kBeginName = "<s>", kEndName = "</s>";
constexpr std::string_view kCopy = "AUG";

// The length of the blank that a text begins with: white space of ASCII, or of Unicode in UTF-8.
std::size_t blank_at(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (byte(0) <= ' ' || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2) return byte(1) == 0x85 || byte(1) == 0xa0 ? 2 : 0;
  if (byte(0) == 0xe1) return byte(1) == 0x9a && byte(2) == 0x80 ? 3 : 0;
  if (byte(0) == 0xe3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
  if (byte(0) != 0xe2) return 0;
  if (byte(1) == 0x81) return byte(2) == 0x9f ? 3 : 0;
  const bool blank =
      byte(1) == 0x80 && (byte(2) <= 0x8a || byte(2) == 0xa8 || byte(2) == 0xa9 || byte(2) == 0xaf);
  return blank ? 3 : 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// False if the text is not what escape() writes.
bool unescape(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

void append_number(std::int64_t number, std::string& out) { out += std::to_string(number); }

bool is_list(char part) { return std::string_view("STABCNL").find(part) != std::string_view::npos; }
bool is_set(char part) { return part == 'A' || part == 'B' || part == 'N'; }
bool is_source(char part) { return part == 's' || part == 'S' || part == 'A'; }
bool is_word(char part) { return std::string_view("stSTAB").find(part) != std::string_view::npos; }

}  // namespace

void escape(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t blank = blank_at(text.substr(i));
    const bool mark = kMarks.find(text[i]) != std::string_view::npos;
    const std::size_t size = std::max<std::size_t>(blank, 1);
    for (std::size_t j = i; j < i + size; ++j) {
      const auto byte = static_cast<unsigned char>(text[j]);
      if (blank > 0 || mark)
        (out += '%') += {kDigits[byte >> 4], kDigits[byte & 15]};
      else
        out += text[j];
    }
    i += size;
  }
}

Names::Names(FeatureTable& table, Words& source, Words& target,
             std::span<const std::string> domains)
    : table_(table), source_(source), target_(target) {
  for (const std::string& domain : domains) escape(domain, domains_.emplace_back());
}

void Names::add(std::uint32_t family, Layout layout) {
  if (layout.prefix.empty() || layout.prefix == kCopy ||
      layout.prefix.find(':') != std::string::npos)
    throw ConfigError("no family of features can be called '" + layout.prefix + "'");
  if (!by_prefix_.emplace(layout.prefix, family).second)
    throw ConfigError("two templates make features called " + layout.prefix +
                      "; leave one of them out");
  if (layout.copied)
    table_.set_copied(family,
                      static_cast<std::uint32_t>(std::max<std::size_t>(layout.members.size(), 1)));
  families_.emplace(family, std::move(layout));
}

void Names::name(FeatureId id, std::string& out) const {
  const FeatureTable::Key key = table_.key(id);
  const auto found = families_.find(key.items[0]);
  if (found == families_.end())
    throw InputError("the feature " + std::to_string(id) + " is named by its template");
  const Layout& layout = found->second;
  const std::size_t members = std::max<std::size_t>(layout.members.size(), 1);
  if (key.member >= members) ((out += kCopy) += ':') += domains_[key.member / members - 1] + ':';
  out += layout.prefix;
  if (!layout.members.empty()) (out += ':') += layout.members[key.member % members];
  if (!layout.parts.empty()) out += ':';
  const std::uint32_t* item = key.items.data() + 1;
  const auto one = [&](char part, std::uint32_t value) {
    if ((part == 't' || part == 'c') && (value == kBegin || value == kEnd))
      out += value == kBegin ? kBeginName : kEndName;
    else if (is_word(part))
      escape((is_source(part) ? source_ : target_).word(value), out);
    else if (part == 'L')
      (out += std::to_string(value >> 8)) += '.' + std::to_string(value & 255);
    else if (part == 'j' && (value == kForwards || value == kBackwards))
      out += value == kForwards ? "neg" : "pos";
    else
      append_number(static_cast<std::int32_t>(value), out);
  };
  for (const char part : layout.parts) {
    if (kParts.find(part) == std::string_view::npos) {
      out += part;
    } else if (!is_list(part)) {
      one(part, *item++);
    } else {
      const std::uint32_t* begin = item + 1;
      std::vector<std::uint32_t> values(begin, begin + *item);
      item = begin + *item;
      const Words& words = is_source(part) ? source_ : target_;
      if (is_set(part) && is_word(part))
        std::ranges::sort(values, {}, [&](std::uint32_t word) { return words.word(word); });
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += '-';
        one(part, values[i]);
      }
    }
  }
}

// Reads the key behind a prefix; each step says whether the text goes on as it should.
class Names::Reader {
 public:
  Reader(Names& names, std::string_view text) : names_(names), text_(text) {}

  bool done() const { return text_.empty(); }
  bool literal(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool part(char part) {
    if (!is_list(part)) return one(part);
    const std::size_t count = names_.key_.size();
    names_.key_.push_back(0);
    if (!text_.empty() && at_word()) {
      do {
        if (!one(part)) return false;
      } while (literal('-'));
    }
    const auto begin = names_.key_.begin() + static_cast<std::ptrdiff_t>(count) + 1;
    names_.key_[count] = static_cast<std::uint32_t>(names_.key_.end() - begin);
    if (!is_set(part)) return true;
    std::sort(begin, names_.key_.end());
    return std::adjacent_find(begin, names_.key_.end()) == names_.key_.end();
  }

 private:
  bool at_word() const { return kMarks.substr(1).find(text_[0]) == std::string_view::npos; }
  bool one(char part) {
    auto& key = names_.key_;
    if (part == 't' || part == 'c') {
      for (const auto& [name, value] : {std::pair(kEndName, kEnd), std::pair(kBeginName, kBegin)})
        if (text_.starts_with(name)) {
          text_.remove_prefix(name.size());
          key.push_back(value);
          return true;
        }
    }
    if (is_word(part)) {
      const std::size_t end = std::min(text_.find_first_of(kMarks.substr(1)), text_.size());
      if (end == 0 || !unescape(text_.substr(0, end), names_.text_)) return false;
      text_.remove_prefix(end);
      key.push_back((is_source(part) ? names_.source_ : names_.target_).add(names_.text_));
      return true;
    }
    if (part == 'j') {
      for (const auto& [name, value] : {std::pair(std::string_view("neg"), kForwards),
                                        std::pair(std::string_view("pos"), kBackwards)})
        if (text_ == name) {
          text_ = {};
          key.push_back(value);
          return true;
        }
    }
    const auto first = number();
    if (!first || part != 'L') {
      if (first) key.push_back(static_cast<std::uint32_t>(*first));
      return first.has_value();
    }
    if (*first < 0 || !literal('.')) return false;
    const auto second = number();
    if (second) key.push_back(static_cast<std::uint32_t>(*first << 8 | *second));
    return second.has_value();
  }
  // The way in which it is written is the only one that is read.
  std::optional<std::int32_t> number() {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    const auto size = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc() || std::to_string(value) != text_.substr(0, size)) return {};
    text_.remove_prefix(size);
    return value;
  }

  Names& names_;
  std::string_view text_;
};

FeatureId Names::id(std::string_view name) {
  if (!name.starts_with(kCopy) || name.substr(kCopy.size(), 1) != ":") return id_of_copy(name, 0);
  name.remove_prefix(kCopy.size() + 1);
  const std::size_t end = name.find(':');
  const auto domain = std::ranges::find(domains_, name.substr(0, end));
  if (end == std::string_view::npos || domain == domains_.end()) return -1;
  return id_of_copy(name.substr(end + 1),
                    static_cast<std::uint32_t>(domain - domains_.begin()) + 1);
}

// `copy`: of which domain, counted from 1; 0: the feature itself.
FeatureId Names::id_of_copy(std::string_view name, std::uint32_t copy) {
  const auto family = by_prefix_.find(name.substr(0, name.find(':')));
  if (family == by_prefix_.end()) return -1;
  const Layout& layout = families_.at(family->second);
  if (copy > 0 && !layout.copied) return -1;
  std::string_view rest = name.substr(layout.prefix.size());
  std::uint32_t member = 0;
  if (!layout.members.empty()) {
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    const std::string_view wanted = rest.substr(0, rest.find(':'));
    const auto found = std::ranges::find(layout.members, wanted);
    if (found == layout.members.end()) return -1;
    member = static_cast<std::uint32_t>(found - layout.members.begin());
    rest.remove_prefix(wanted.size());
  }
  Reader reader(*this, rest);
  key_.assign(1, family->second);
  if (!layout.parts.empty() && !reader.literal(':')) return -1;
  for (const char part : layout.parts) {
    const bool known = kParts.find(part) != std::string_view::npos;
    if (!(known ? reader.part(part) : reader.literal(part))) return -1;
  }
  if (!reader.done()) return -1;
  const auto members = static_cast<std::uint32_t>(std::max<std::size_t>(layout.members.size(), 1));
  const std::size_t copies = layout.copied ? domains_.size() : 0;
  return table_.intern(key_, members * static_cast<std::uint32_t>(1 + copies)) +
         static_cast<FeatureId>(member + members * copy);
}

NamedWeights read_weights(std::string_view text, Names& names) {
  NamedWeights out;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t blank = line.rfind(' ');
    double value = 0;
    FeatureId id = -1;
    if (blank != std::string_view::npos) {
      const char* last = line.data() + line.size();
      const auto [stop, error] = std::from_chars(line.data() + blank + 1, last, value);
      const bool whole = error == std::errc() && stop == last && std::isfinite(value);
      if (whole) id = names.id(line.substr(0, blank));
    }
    if (id < 0) {
      out.others.emplace_back(number, line);
      continue;
    }
    out.ids.push_back(id);
    out.values.push_back(value);
  }
  return out;
}

}  // namespace miriam::features
