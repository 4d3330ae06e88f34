#include "align/links.hh"

#include <algorithm>
#include <charconv>

#include "base/error.hh"

namespace miriam::align {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string at_line(std::string_view name, std::size_t pair) {
  return std::string(name) + ", line " + std::to_string(pair + 1) + ": ";
}

// The link that "3-5" stands for; false if the text is none.
bool parse_link(std::string_view text, Link& link) {
  const char* end = text.data() + text.size();
  const auto [dash, source_error] = std::from_chars(text.data(), end, link.source);
  if (source_error != std::errc() || dash == end || *dash != '-') return false;
  const auto [stop, target_error] = std::from_chars(dash + 1, end, link.target);
  return target_error == std::errc() && stop == end;
}

void parse_line(std::string_view line, const Lengths& lengths, std::size_t pair,
                std::string_view name, std::vector<Link>& points) {
  const std::uint64_t sources = lengths.source(pair);
  const std::uint64_t targets = lengths.target(pair);
  const std::size_t begin = points.size();
  for (std::size_t i = line.find_first_not_of(kBlanks); i < line.size();) {
    const std::size_t stop = std::min(line.find_first_of(kBlanks, i), line.size());
    const std::string_view text = line.substr(i, stop - i);
    Link link;
    if (!parse_link(text, link)) {
      throw InputError(at_line(name, pair) + "expected points such as 0-2, found '" +
                       std::string(text.substr(0, 40)) + "'");
    }
    if (link.source >= sources || link.target >= targets) {
      throw InputError(at_line(name, pair) + "the point " + std::string(text) +
                       " lies outside its sentence pair of " + std::to_string(sources) + " and " +
                       std::to_string(targets) + " words (points count from 0, source first)");
    }
    points.push_back(link);
    i = line.find_first_not_of(kBlanks, stop);
  }
  const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, points.end());
  points.erase(std::unique(first, points.end()), points.end());
}

void append(std::string& text, std::uint32_t number) {
  char digits[10];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

Links parse_links(std::string_view text, const Lengths& lengths, std::size_t first,
                  std::string_view name) {
  Links links;
  for (std::size_t pair = first; !text.empty() && pair < lengths.size(); ++pair) {
    const std::size_t stop = std::min(text.find('\n'), text.size());
    parse_line(text.substr(0, stop), lengths, pair, name, links.points);
    links.ends.push_back(links.points.size());
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return links;
}

std::string format_links(const LinksView& links) {
  std::string text;
  text.reserve(links.points.size() * 6 + links.size());
  for (std::size_t pair = 0; pair < links.size(); ++pair) {
    const auto points = links[pair];
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (k > 0) text += ' ';
      append(text, points[k].source);
      text += '-';
      append(text, points[k].target);
    }
    text += '\n';
  }
  return text;
}

}  // namespace miriam::align
