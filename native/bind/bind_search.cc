// The decoder.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "base/progress.hh"
#include "bind/bind.hh"
#include "bind/mapped.hh"
#include "bind/search_call.hh"

namespace miriam::bind {
namespace {

using features::FeatureTable;

// A decoder and its model, which is fixed with the first call.
class BoundDecoder {
 public:
  explicit BoundDecoder(FeatureTable& features) : features_(features) {}

  using Columns = std::vector<std::pair<std::uint32_t, FeatureId>>;
  using Orientations = std::vector<std::tuple<bool, bool, std::uint8_t, std::uint32_t, FeatureId>>;

  void add_table(const Table& table, const Columns& scores, const Orientations& orientations) {
    TableUse use{&table.get(), model_.rule_count, {}, {}};
    for (const auto& [column, feature] : scores)
      use.scores.push_back({check(table, column), feature});
    for (const auto& [block, next, events, column, feature] : orientations)
      use.orientations.push_back({block ? Neighbour::block : Neighbour::phrase, next, events,
                                  check(table, column), feature});
    const std::uint64_t rules = model_.rule_count + std::uint64_t{table.get().size()};
    if (rules > 0xf0000000u) throw ConfigError("the tables have more than four billion rules");
    model_.rule_count = static_cast<RuleId>(rules);
    model_.tables.push_back(std::move(use));
  }
  void add_lm(const MappedModel& lm, Ids ids, FeatureId feature) {
    for (const WordId id : view(ids))
      if (id >= lm.model().table().words()) throw ConfigError("an id that is no word of the model");
    lm_ids_.push_back(std::move(ids));
    model_.lms.push_back({&lm.model(), view(lm_ids_.back()), feature});
  }
  void add_orientation(bool block, std::array<std::uint8_t, 8> events, std::uint32_t stride) {
    model_.orientations.push_back({block ? Neighbour::block : Neighbour::phrase, events, stride});
  }
  void add_boundary(KeyedFamily family, std::uint32_t begin_key, std::uint32_t end_key) {
    model_.boundaries.push_back({family, begin_key, end_key});
  }
  void add_ratio(FeatureId feature) { model_.ratios.push_back(with_stride(feature)); }
  void set_domains(std::uint32_t count, FeatureId in_domain, FeatureId adjacent) {
    if (count > 64) throw ConfigError("more than 64 domains");
    model_.domains = count;
    model_.in_domain = with_stride(in_domain);
    model_.adjacent_in_domain = with_stride(adjacent);
  }
  void set_signed_distortion(KeyedFamily family) { model_.signed_distortion = family; }
  void add_adjacent(FeatureId feature) {
    if (model_.adjacent.size() == 8) throw ConfigError("more than eight flags of adjacent rules");
    model_.adjacent.push_back(feature);
  }
  void set_dense(FeatureId count, std::array<FeatureId, 4> own) {
    model_.dense = count;
    model_.distortion = own[0];
    model_.word_penalty = own[1];
    model_.phrase_penalty = own[2];
    model_.unknown_word = own[3];
  }
  void set_gaps(const std::array<WordId, rules::kMaxGaps>& source,
                const std::array<WordId, rules::kMaxGaps>& target, FeatureId glue) {
    model_.hierarchical = true;
    model_.source_gaps = source;
    model_.target_gaps = target;
    model_.glue = glue;
  }
  Decoder& get() {
    if (!decoder_) decoder_ = std::make_unique<Decoder>(model_, features_);
    return *decoder_;
  }
  const Model& model() const { return model_; }

 private:
  Feature with_stride(FeatureId feature) const { return {feature, features_.stride(feature)}; }
  static std::uint32_t check(const Table& table, std::uint32_t column) {
    if (column >= table.get().score_count() && table.get().size() > 0)
      throw ConfigError("the rule table has no such column of scores");
    return column;
  }

  FeatureTable& features_;
  Model model_;
  std::vector<Ids> lm_ids_;
  std::unique_ptr<Decoder> decoder_;
};

template <class T>
std::vector<T> copy_of(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

Candidates decode(BoundDecoder& decoder, Batch& batch, Call& call, Progress& progress) {
  const std::span<const Sentence> sentences = batch.numbered(decoder.model().rule_count);
  const Decoder::Call native = call.native();
  Decoder& core = decoder.get();
  nb::gil_scoped_release release;
  return core.decode(sentences, native, progress);
}

auto features_of(BoundDecoder& decoder, Batch& batch, Call& call, const Candidates& candidates) {
  if (candidates.sentence_ends.size() != batch.size())
    throw ConfigError("candidates of other sentences");
  const std::span<const Sentence> sentences = batch.numbered(decoder.model().rule_count);
  const Decoder::Call native = call.native();
  Decoder& core = decoder.get();
  CandidateFeatures found;
  {
    nb::gil_scoped_release release;
    found = core.features(sentences, candidates, native);
  }
  const auto rows = [](features::Rows&& given) {
    return std::tuple(to_numpy(std::move(given.ends)), to_numpy(std::move(given.ids)),
                      to_numpy(std::move(given.values)));
  };
  return std::tuple(to_numpy(std::move(found.dense)), rows(std::move(found.uses)),
                    rows(std::move(found.pieces)), to_numpy(std::move(found.piece_ends)));
}

auto targets_of(BoundDecoder& decoder, Batch& batch, const Candidates& candidates) {
  if (candidates.sentence_ends.size() != batch.size())
    throw ConfigError("candidates of other sentences");
  std::vector<std::uint64_t> ends;
  std::vector<WordId> words =
      decoder.get().targets(batch.numbered(decoder.model().rule_count), candidates, ends);
  return std::tuple(to_numpy(std::move(words)), to_numpy(std::move(ends)));
}

void bind_calls(nb::module_& m) {
  nb::class_<Settings>(m, "Settings", "How the decoder searches; see SearchSettings.")
      .def(nb::init<>())
      .def_rw("pops", &Settings::pops)
      .def_rw("stack", &Settings::stack)
      .def_rw("distortion_limit", &Settings::distortion_limit)
      .def_rw("limit_jumps", &Settings::limit_jumps)
      .def_rw("max_phrase", &Settings::max_phrase)
      .def_rw("max_span", &Settings::max_span)
      .def_rw("considered", &Settings::considered)
      .def_rw("rule_limit", &Settings::rule_limit)
      .def_rw("nbest", &Settings::nbest)
      .def_rw("distinct", &Settings::distinct)
      .def_rw("future_distortion", &Settings::future_distortion)
      .def_rw("recombine", &Settings::recombine)
      .def_rw("ignore_orientation", &Settings::ignore_orientation)
      .def_rw("ignore_boundary", &Settings::ignore_boundary);

  nb::class_<Batch>(m, "Batch", "Sentences to translate, and what is known of each.")
      .def(nb::init<Ids, Ends>(), nb::arg("words").noconvert(), nb::arg("ends").noconvert())
      .def("__len__", &Batch::size)
      .def("add_rule", &Batch::add_rule, nb::arg("sentence"), nb::arg("span"), nb::arg("target"),
           nb::arg("unknown"), nb::arg("exclusive"), "A rule for this sentence alone.")
      .def("add_wall", &Batch::add_wall, nb::arg("sentence"), nb::arg("wall"),
           "(begin, at, end): [begin, at) comes before [at, end).")
      .def("add_zone", &Batch::add_zone, nb::arg("sentence"), nb::arg("zone"),
           "[begin, end) is translated in one go.")
      .def("set_domains", &Batch::set_domains, nb::arg("sentence"), nb::arg("domains"),
           "The domains it is of, counted from 1.")
      .def("set_totals", &Batch::set_totals, nb::arg("sentence"), nb::arg("totals"),
           "The denominator of each ratio.")
      .def("require", &Batch::require, nb::arg("sentence"), nb::arg("target"), nb::arg("whole"),
           "The words that the translation must begin with, or be.");

  nb::class_<Call>(m, "Call", "Weights, settings, and what belongs to one batch.")
      .def(nb::init<Array<double>, std::uint64_t, const Settings&, std::vector<Ids>, unsigned>(),
           nb::arg("weights").noconvert(), nb::arg("weights_version"), nb::arg("settings"),
           nb::arg("extra_lm_ids"), nb::arg("threads"))
      .def("use_rows", &Call::use_rows, nb::arg("rows").noconvert(), nb::arg("columns"),
           nb::arg("clock"),
           "Weights in rows: the column of weights, or of weights, what was paid, and the unit.")
      .def(
          "set_user_features",
          [](Call& call, nb::object features) {
            call.user = std::make_unique<PythonFeatures>(std::move(features));
          },
          nb::arg("features"), "An object with begin(), extend() and finish(); slow.")
      .def(
          "add_rules",
          [](Call& call, const BoundDecoder& decoder, const RuleAnswers& answers) {
            call.extra_features.add(answers.batch(), decoder.model());
          },
          nb::arg("decoder"), nb::arg("answers"), "What templates say of the batch's own rules.");

  nb::class_<RuleAnswers>(m, "RuleAnswers", "What rule templates say of rules.")
      .def(nb::init<Ids, Ends, Array<FeatureId>, Array<double>, Array<FeatureId>, Ids,
                    Array<std::uint8_t>, Array<std::uint8_t>, Ids, Ends>(),
           nb::arg("rules").noconvert(), nb::arg("ends").noconvert(), nb::arg("ids").noconvert(),
           nb::arg("values").noconvert(), nb::arg("orientation_keys").noconvert(),
           nb::arg("boundary_keys").noconvert(), nb::arg("counts").noconvert(),
           nb::arg("flags").noconvert(), nb::arg("strides").noconvert(),
           nb::arg("domains").noconvert());

  nb::class_<Candidates>(m, "Candidates", "Derivations, sentence by sentence, best first.")
      .def(
          "__init__",
          [](Candidates* made, const Ends& sentence_ends, const Ends& phrase_ends, const Ids& rules,
             const Array<std::uint16_t>& begins, const Array<std::uint16_t>& ends) {
            const bool fits =
                (sentence_ends.size() == 0 ? 0 : view(sentence_ends).back()) ==
                    phrase_ends.size() &&
                (phrase_ends.size() == 0 ? 0 : view(phrase_ends).back()) == rules.size() &&
                begins.size() == rules.size() && ends.size() == rules.size();
            if (!fits) throw ConfigError("candidates whose arrays do not fit together");
            new (made) Candidates{copy_of(sentence_ends),
                                  copy_of(phrase_ends),
                                  std::vector<double>(phrase_ends.size()),
                                  copy_of(rules),
                                  copy_of(begins),
                                  copy_of(ends)};
          },
          nb::arg("sentence_ends").noconvert(), nb::arg("phrase_ends").noconvert(),
          nb::arg("rules").noconvert(), nb::arg("begins").noconvert(), nb::arg("ends").noconvert())
      .def(
          "arrays",
          [](const Candidates& c) {
            return std::tuple(to_numpy(std::vector(c.sentence_ends)),
                              to_numpy(std::vector(c.phrase_ends)), to_numpy(std::vector(c.scores)),
                              to_numpy(std::vector(c.rules)), to_numpy(std::vector(c.begins)),
                              to_numpy(std::vector(c.ends)));
          },
          "sentence_ends, phrase_ends, scores, and of each phrase its rule and source span.");
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<BoundDecoder> decoder(m, "Decoder", "Phrase-based or hierarchical search.");
  bind_calls(m);
  decoder.def(nb::init<FeatureTable&>(), nb::arg("features"), nb::keep_alive<1, 2>())
      .def(
          "add_table", &BoundDecoder::add_table, nb::arg("table"), nb::arg("scores"),
          nb::arg("orientations"), nb::keep_alive<1, 2>(),
          "Scores are (column, feature); orientations (block, with next, events, column, feature).")
      .def("add_lm", &BoundDecoder::add_lm, nb::arg("model"), nb::arg("ids"), nb::arg("feature"),
           nb::keep_alive<1, 2>(), "Ids are the model's, of each target word.")
      .def("set_dense", &BoundDecoder::set_dense, nb::arg("count"), nb::arg("own"),
           "Own are distortion, word penalty, phrase penalty, unknown word; -1: no such feature.")
      .def("set_gaps", &BoundDecoder::set_gaps, nb::arg("source"), nb::arg("target"),
           nb::arg("glue"), "Rules are hierarchical: the words for gaps, and the feature of glue.")
      .def("set_domains", &BoundDecoder::set_domains, nb::arg("count"), nb::arg("in_domain"),
           nb::arg("adjacent"),
           "How many; and the features of rules of a sentence's domain, -1: no such feature.")
      .def("add_orientation", &BoundDecoder::add_orientation, nb::arg("block"), nb::arg("events"),
           nb::arg("stride"))
      .def(
          "set_signed_distortion",
          [](BoundDecoder& d, std::int32_t family, std::uint32_t stride) {
            d.set_signed_distortion({family, stride});
          },
          nb::arg("family"), nb::arg("stride"))
      .def(
          "add_boundary",
          [](BoundDecoder& d, std::int32_t family, std::uint32_t stride, std::uint32_t begin,
             std::uint32_t end) { d.add_boundary({family, stride}, begin, end); },
          nb::arg("family"), nb::arg("stride"), nb::arg("begin_key"), nb::arg("end_key"))
      .def("add_adjacent", &BoundDecoder::add_adjacent, nb::arg("feature"))
      .def("add_ratio", &BoundDecoder::add_ratio, nb::arg("feature"))
      .def_prop_ro("rule_count", [](const BoundDecoder& d) { return d.model().rule_count; })
      .def("decode", &decode, nb::arg("batch"), nb::arg("call"), nb::arg("progress"))
      .def("features", &features_of, nb::arg("batch"), nb::arg("call"), nb::arg("candidates"),
           "A dense row each (flat), rows of pieces, rows of their features, ends by sentence.")
      .def("targets", &targets_of, nb::arg("batch"), nb::arg("candidates"),
           "The target words of all candidates, and where each candidate ends.")
      .def(
          "unknown_rules",
          [](BoundDecoder& d, Batch& batch, std::uint32_t longest, std::uint32_t limit) {
            const std::span<const Sentence> sentences = batch.numbered(d.model().rule_count);
            return to_numpy(d.get().unknown_rules(sentences, longest, limit));
          },
          nb::arg("batch"), nb::arg("longest"), nb::arg("limit"),
          "The rules for the batch that templates have not been asked about.")
      .def(
          "unknown_of",
          [](BoundDecoder& d, const Ids& rules) {
            return to_numpy(d.get().unknown_of(view(rules)));
          },
          nb::arg("rules").noconvert(), "Those of some rules that they have not been asked about.")
      .def(
          "add_rules",
          [](BoundDecoder& d, const RuleAnswers& answers) {
            Decoder& core = d.get();
            const RuleFeatures::Batch batch = answers.batch();
            nb::gil_scoped_release release;  // a decoding thread may need it to come to its end
            core.add_rules(batch);
          },
          nb::arg("answers"))
      .def(
          "known_words",
          [](BoundDecoder& d, const Ids& words) {
            return to_numpy(d.get().known_words(view(words)));
          },
          nb::arg("words").noconvert(), "For each word whether some rule translates it alone.");
}

}  // namespace miriam::bind
