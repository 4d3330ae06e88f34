// Scored translation rules.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hh"
#include "bind/mapped.hh"
#include "rules/gather.hh"
#include "rules/map.hh"
#include "rules/matching.hh"
#include "rules/reduce.hh"
#include "rules/significance.hh"
#include "rules/table.hh"

namespace miriam::bind {
namespace {

using namespace rules;
using Words = Array<WordId>;
using Ends = Array<std::uint64_t>;
using Bytes8 = Array<std::uint8_t>;
using Points = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Arrays by name.
using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

std::vector<ByteView> views(const std::vector<Bytes8>& buffers) {
  std::vector<ByteView> spans;
  for (const Bytes8& buffer : buffers) spans.push_back(view(buffer));
  return spans;
}

// A shard of an aligned bitext; Python keeps the arrays alive.
struct Shard {
  Shard(Words source_words, Ends source_ends_, Words target_words, Ends target_ends_,
        Points points_, Ends link_ends_, Ends domains_)
      : source_ids(std::move(source_words)),
        target_ids(std::move(target_words)),
        source_ends(std::move(source_ends_)),
        target_ends(std::move(target_ends_)),
        points(std::move(points_)),
        link_ends(std::move(link_ends_)),
        domains(std::move(domains_)) {
    const auto fits = [](const Ends& ends, std::size_t size) {
      return (ends.size() == 0 ? 0 : view(ends).back()) == size;
    };
    const bool sound = source_ends.size() == target_ends.size() &&
                       source_ends.size() == link_ends.size() &&
                       (domains.size() == 0 || domains.size() == source_ends.size()) &&
                       fits(source_ends, source_ids.size()) &&
                       fits(target_ends, target_ids.size()) && fits(link_ends, points.shape(0));
    if (!sound) throw ConfigError("a bitext whose arrays do not fit together");
  }

  Bitext bitext() const {
    return {
        view(source_ids),
        view(target_ids),
        {view(source_ends), view(target_ends)},
        {{reinterpret_cast<const align::Link*>(points.data()), points.shape(0)}, view(link_ends)},
        view(domains)};
  }

  Words source_ids, target_ids;
  Ends source_ends, target_ends;
  Points points;
  Ends link_ends, domains;
};
static_assert(sizeof(align::Link) == 2 * sizeof(std::uint32_t));

Arrays to_python(Extracted&& extracted) {
  Arrays arrays;
  arrays["rules"] = to_numpy(std::move(extracted.rules.bytes));
  arrays["rules.offsets"] = to_numpy(std::move(extracted.rules.offsets));
  arrays["targets"] = to_numpy(std::move(extracted.targets.bytes));
  arrays["targets.offsets"] = to_numpy(std::move(extracted.targets.offsets));
  arrays["lexical.keys"] = to_numpy(std::move(extracted.lexical.keys));
  arrays["lexical.counts"] = to_numpy(std::move(extracted.lexical.counts));
  return arrays;
}

Arrays to_python(RuleColumns&& columns) {
  Arrays arrays;
  arrays["source.words"] = to_numpy(std::move(columns.source_words));
  arrays["source.ends"] = to_numpy(std::move(columns.source_ends));
  arrays["source.counts"] = to_numpy(std::move(columns.source_counts));
  arrays["rule.ends"] = to_numpy(std::move(columns.rule_ends));
  arrays["rule.target"] = to_numpy(std::move(columns.targets));
  arrays["rule.count"] = to_numpy(std::move(columns.counts));
  arrays["rule.domains"] = to_numpy(std::move(columns.domains));
  arrays["rule.links"] = to_numpy(std::move(columns.links));
  arrays["link.points"] = to_numpy(std::move(columns.link_points));
  arrays["link.ends"] = to_numpy(std::move(columns.link_ends));
  arrays["rule.scores"] = to_numpy(std::move(columns.scores));
  return arrays;
}

void bind_extraction(nb::module_& m) {
  nb::enum_<Reordering>(m, "Reordering", "What a neighbour must be to orient a phrase pair.")
      .value("WORD", Reordering::kWord)
      .value("PHRASE", Reordering::kPhrase)
      .value("HIERARCHICAL", Reordering::kHierarchical)
      .value("SYMMETRIC", Reordering::kSymmetric);
  m.attr("MAX_WORDS") = kMaxWords;
  m.attr("MAX_PHRASE_WORDS") = kMaxPhraseWords;
  m.attr("PARTITION_BITS") = kPartitionBits;
  nb::class_<Shard>(m, "Shard", "Aligned sentence pairs, as arrays.")
      .def(nb::init<Words, Ends, Words, Ends, Points, Ends, Ends>(),
           nb::arg("source_ids").noconvert(), nb::arg("source_ends").noconvert(),
           nb::arg("target_ids").noconvert(), nb::arg("target_ends").noconvert(),
           nb::arg("points").noconvert(), nb::arg("link_ends").noconvert(),
           nb::arg("domains").noconvert())
      .def("__len__", [](const Shard& shard) { return shard.source_ends.size(); });
  m.attr("MAX_GAPS") = kMaxGaps;
  nb::class_<GapOptions>(m, "GapOptions", "The limits of rules with gaps.")
      .def(nb::init<int, int, bool, bool, int>(), nb::arg("max_symbols"), nb::arg("max_gaps"),
           nb::arg("adjacent"), nb::arg("tight"), nb::arg("least_links"));
  m.def(
      "extract",
      [](const Shard& shard, std::size_t begin, int max_length,
         const std::vector<Reordering>& reorderings, const std::optional<GapOptions>& gaps,
         std::size_t max_bytes, Progress& progress) {
        const Bitext bitext = shard.bitext();
        nb::gil_scoped_release release;
        Extracted extracted =
            rules::extract(bitext, begin, {max_length, reorderings, gaps}, max_bytes, progress);
        nb::gil_scoped_acquire acquire;
        const std::size_t sentences = extracted.sentences;
        return std::pair(sentences, to_python(std::move(extracted)));
      },
      nb::arg("shard"), nb::arg("begin"), nb::arg("max_length"), nb::arg("reorderings"),
      nb::arg("gaps").none(), nb::arg("max_bytes"), nb::arg("progress"),
      "How many sentences were taken until their records filled `max_bytes`, and the arrays.");
}

void bind_reduction(nb::module_& m) {
  m.def(
      "add_counts",
      [](const Ends& keys, const Array<std::uint32_t>& counts, const Ends& more_keys,
         const Array<std::uint32_t>& more_counts) {
        const auto copy = [](const auto& array) {
          const auto span = view(array);
          return std::vector(span.begin(), span.end());
        };
        LexicalCounts sum =
            rules::add_counts({copy(keys), copy(counts)}, {copy(more_keys), copy(more_counts)});
        return std::pair(to_numpy(std::move(sum.keys)), to_numpy(std::move(sum.counts)));
      },
      nb::arg("keys").noconvert(), nb::arg("counts").noconvert(), nb::arg("more_keys").noconvert(),
      nb::arg("more_counts").noconvert(), "The sum of two tables of counts sorted by key.");
  nb::class_<LexicalTable>(m, "LexicalTable", "Word translation probabilities from counts.")
      .def(
          "__init__",
          [](LexicalTable* table, const Ends& keys, const Array<std::uint32_t>& counts) {
            new (table) LexicalTable(view(keys), view(counts));
          },
          nb::arg("keys").noconvert(), nb::arg("counts").noconvert())
      .def(
          "word",
          [](const LexicalTable& table, WordId source, WordId target) {
            const LexicalWeights weights = table.word(source, target);
            return std::pair(weights.source_given_target, weights.target_given_source);
          },
          nb::arg("source"), nb::arg("target"),
          "w(source|target) and w(target|source); 2**32 - 1 is the empty word.");
  m.def(
      "merge_targets",
      [](const std::vector<Bytes8>& buffers) {
        const auto spans = views(buffers);
        nb::gil_scoped_release release;
        Run run = rules::merge_targets(spans);
        nb::gil_scoped_acquire acquire;
        return to_numpy(std::move(run.bytes));
      },
      nb::arg("buffers"), "The target records of several buffers, sorted, equal ones added up.");
  m.def(
      "target_columns",
      [](const Bytes8& reduced, bool gaps) {
        TargetColumns columns = rules::target_columns(view(reduced), gaps ? kCountUnit : 1);
        return std::tuple(to_numpy(std::move(columns.words)), to_numpy(std::move(columns.ends)),
                          to_numpy(std::move(columns.counts)));
      },
      nb::arg("reduced").noconvert(), nb::arg("gaps"),
      "The words, ends and counts of reduced target records.");
  nb::class_<RulePartition>(m, "RulePartition", "The rule records of one partition.")
      .def(
          "__init__",
          [](RulePartition* partition, const std::vector<Bytes8>& buffers) {
            const auto spans = views(buffers);
            nb::gil_scoped_release release;
            new (partition) RulePartition(spans);
          },
          nb::arg("buffers"), nb::keep_alive<1, 2>())
      .def(
          "join",
          [](RulePartition& partition, const Bytes8& targets) { partition.join(view(targets)); },
          nb::arg("targets").noconvert(), nb::call_guard<nb::gil_scoped_release>(),
          "Take the totals from reduced target records, given in order.")
      .def(
          "finish",
          [](const RulePartition& partition, const LexicalTable& lexical,
             const std::vector<std::size_t>& classes, double smoothing, bool gaps,
             Progress& progress) {
            nb::gil_scoped_release release;
            RuleColumns columns = partition.finish(lexical, {classes, smoothing, gaps}, progress);
            nb::gil_scoped_acquire acquire;
            return to_python(std::move(columns));
          },
          nb::arg("lexical"), nb::arg("classes"), nb::arg("smoothing"), nb::arg("gaps"),
          nb::arg("progress"), "The scored rules, as arrays.");
}

void bind_table(nb::module_& m) {
  m.def(
      "hash_phrases",
      [](const Words& words, const Ends& ends) {
        return to_numpy(rules::hash_phrases(view(words), view(ends)));
      },
      nb::arg("words").noconvert(), nb::arg("ends").noconvert(), "The hash of each phrase.");
  m.def(
      "group_phrases",
      [](const Words& words, const Ends& ends) {
        Grouping groups = rules::group_phrases(view(words), view(ends));
        return std::pair(to_numpy(std::move(groups.order)), to_numpy(std::move(groups.starts)));
      },
      nb::arg("words").noconvert(), nb::arg("ends").noconvert(),
      "The order of the phrases by hash, and where each group of equal ones begins in it.");
  m.def("bucket_count", &rules::bucket_count, nb::arg("phrases"),
        "How many buckets so many phrases need.");
  m.def(
      "make_buckets",
      [](const Ends& hashes, std::size_t first, std::size_t begin, std::size_t end,
         std::size_t total) {
        const auto buckets = rules::make_buckets(view(hashes), first, begin, end, total);
        const auto* words = reinterpret_cast<const std::uint32_t*>(buckets.data());
        return to_numpy(std::vector<std::uint32_t>(
            words, words + buckets.size() * sizeof(Bucket) / sizeof(std::uint32_t)));
      },
      nb::arg("hashes").noconvert(), nb::arg("first"), nb::arg("begin"), nb::arg("end"),
      nb::arg("total"), "Some of the buckets of the hash table of phrases sorted by hash.");
  nb::class_<Table>(m, "Table", "A rule table over arrays, for look-up.")
      .def(nb::init<Array<std::uint32_t>, Ends, Words, Ends, Words, Ends, Bytes8,
                    Array<std::uint32_t>, Array<std::uint32_t>, Array<float>>(),
           nb::arg("buckets").noconvert(), nb::arg("heads").noconvert(),
           nb::arg("source_words").noconvert(), nb::arg("target_ends").noconvert(),
           nb::arg("target_words").noconvert(), nb::arg("link_ends").noconvert(),
           nb::arg("link_points").noconvert(), nb::arg("targets").noconvert(),
           nb::arg("links").noconvert(), nb::arg("scores").noconvert())
      .def(
          "find",
          [](const Table& table, const Words& words, const Ends& ends) {
            std::vector<std::uint64_t> found(ends.size());
            table.get().sources().find_all(view(words), view(ends), found);
            return to_numpy(std::move(found));
          },
          nb::arg("words").noconvert(), nb::arg("ends").noconvert(),
          "The number of each source phrase, or how many there are if it has no rules.")
      .def(
          "gather",
          [](const Table& table, const Ends& rows) {
            RuleParts parts = rules::gather(table.get(), view(rows));
            return std::tuple(
                to_numpy(std::move(parts.source)), to_numpy(std::move(parts.source_ends)),
                to_numpy(std::move(parts.target)), to_numpy(std::move(parts.target_ends)),
                to_numpy(std::move(parts.links)), to_numpy(std::move(parts.link_ends)));
          },
          nb::arg("rows").noconvert(),
          "Source words, target words and links (source * 256 + target) of rules, with their "
          "ends.");
}

void bind_matching(nb::module_& m) {
  m.def(
      "match_sources",
      [](const Table& table, const Words& words, const Ends& ends, const std::vector<WordId>& gaps,
         std::size_t max_symbols, std::size_t max_span, Progress& progress) {
        nb::gil_scoped_release release;
        Matches matches = rules::match_sources(table.get().sources(), view(words), view(ends),
                                               {gaps, max_symbols, max_span}, progress);
        nb::gil_scoped_acquire acquire;
        return std::pair(to_numpy(std::move(matches.sources)), to_numpy(std::move(matches.ends)));
      },
      nb::arg("table"), nb::arg("words").noconvert(), nb::arg("ends").noconvert(), nb::arg("gaps"),
      nb::arg("max_symbols"), nb::arg("max_span"), nb::arg("progress"),
      "The numbers of the source phrases that match each sentence, and where those of each end.");
}

void bind_significance(nb::module_& m) {
  m.def(
      "count_sentences",
      [](const Table& table, const Words& source_ids, const Ends& source_ends,
         const Words& target_ids, const Ends& target_ends, Progress& progress) {
        nb::gil_scoped_release release;
        SentenceCounts counts =
            rules::count_sentences(table.get(), view(source_ids), view(target_ids),
                                   {view(source_ends), view(target_ends)}, progress);
        nb::gil_scoped_acquire acquire;
        return std::tuple(to_numpy(std::move(counts.sources)), to_numpy(std::move(counts.targets)),
                          to_numpy(std::move(counts.rules)));
      },
      nb::arg("table"), nb::arg("source_ids").noconvert(), nb::arg("source_ends").noconvert(),
      nb::arg("target_ids").noconvert(), nb::arg("target_ends").noconvert(), nb::arg("progress"),
      "In how many sentence pairs each source phrase, target phrase and rule is seen.");
  m.def(
      "negative_log_p",
      [](std::uint64_t sentences, const Array<std::uint32_t>& source,
         const Array<std::uint32_t>& target, const Array<std::uint32_t>& both) {
        if (source.size() != target.size() || source.size() != both.size()) {
          throw ConfigError("counts of different numbers of rules");
        }
        const FisherTest test(sentences);
        std::vector<double> values;
        values.reserve(both.size());
        for (std::size_t i = 0; i < both.size(); ++i) {
          values.push_back(test.negative_log_p(view(source)[i], view(target)[i], view(both)[i]));
        }
        return to_numpy(std::move(values));
      },
      nb::arg("sentences"), nb::arg("source").noconvert(), nb::arg("target").noconvert(),
      nb::arg("both").noconvert(), "-ln p of Fisher's exact test for each rule.");
}

}  // namespace

void bind_rules(nb::module_& m) {
  bind_extraction(m);
  bind_reduction(m);
  bind_table(m);
  bind_matching(m);
  bind_significance(m);
}

}  // namespace miriam::bind
