// What a call of the decoder takes from Python: sentences, settings, and features that are Python.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "bind/bind.hh"
#include "search/decoder.hh"

namespace miriam::bind {

using namespace search;
using Ids = Array<std::uint32_t>;
using Ends = Array<std::uint64_t>;

// Sentences and what is known of them; Python keeps the arrays alive.
class Batch {
 public:
  Batch(Ids words, Ends ends) : words_(std::move(words)), ends_(std::move(ends)) {
    std::uint64_t begin = 0;
    for (const std::uint64_t end : view(ends_)) {
      if (end < begin || end > words_.size()) throw ConfigError("sentences that do not fit");
      Sentence sentence;
      sentence.words = view(words_).subspan(begin, end - begin);
      sentence.index = static_cast<std::uint32_t>(sentences_.size());
      sentences_.push_back(std::move(sentence));
      begin = end;
    }
    extra_.resize(sentences_.size());
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  // Rules for a sentence alone, numbered from the last one's on through the batch.
  void add_rule(std::uint32_t sentence, std::pair<std::uint16_t, std::uint16_t> span,
                std::vector<WordId> target, bool unknown, bool exclusive) {
    at(sentence);
    targets_.push_back(std::make_unique<std::vector<WordId>>(std::move(target)));
    extra_[sentence].push_back({span.first, span.second, unknown, exclusive, *targets_.back()});
  }
  void add_wall(std::uint32_t sentence, std::array<std::uint16_t, 3> wall) {
    at(sentence).walls.push_back({wall[0], wall[1], wall[2]});
  }
  void add_zone(std::uint32_t sentence, std::pair<std::uint16_t, std::uint16_t> zone) {
    at(sentence).zones.push_back({zone.first, zone.second});
  }
  void set_totals(std::uint32_t sentence, std::vector<std::uint32_t> totals) {
    at(sentence).totals = std::move(totals);
  }
  void set_domains(std::uint32_t sentence, std::vector<std::uint32_t> domains) {
    for (const std::uint32_t domain : domains)
      if (domain >= 1 && domain <= 64) at(sentence).domain_bits |= std::uint64_t{1} << (domain - 1);
    at(sentence).domains = std::move(domains);
  }
  void require(std::uint32_t sentence, std::vector<WordId> target, bool whole) {
    targets_.push_back(std::make_unique<std::vector<WordId>>(std::move(target)));
    at(sentence).target = *targets_.back();
    at(sentence).target_use = whole ? Target::whole : Target::prefix;
  }
  // The sentences, with their extra rules numbered after those of the tables.
  std::span<const Sentence> numbered(RuleId first) {
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      sentences_[i].extra = extra_[i];
      sentences_[i].first_extra = first;
      first += static_cast<RuleId>(extra_[i].size());
    }
    return sentences_;
  }
  std::size_t size() const { return sentences_.size(); }

 private:
  Sentence& at(std::uint32_t sentence) {
    if (sentence >= sentences_.size()) throw ConfigError("no sentence has this number");
    return sentences_[sentence];
  }

  Ids words_;
  Ends ends_;
  std::vector<Sentence> sentences_;
  std::vector<std::vector<ExtraRule>> extra_;
  std::vector<std::unique_ptr<std::vector<WordId>>> targets_;
};

// Non-local features in Python: each step takes the lock of the interpreter.
class PythonFeatures : public UserFeatures {
 public:
  explicit PythonFeatures(nb::object object) : object_(std::move(object)) {}

  std::uint32_t begin(const Sentence& sentence) override {
    nb::gil_scoped_acquire gil;
    return nb::cast<std::uint32_t>(object_.attr("begin")(sentence.index));
  }
  Step extend(std::uint32_t state, RuleId rule, std::uint32_t begin, std::uint32_t end) override {
    nb::gil_scoped_acquire gil;
    const auto [score, next] =
        nb::cast<std::pair<double, std::uint32_t>>(object_.attr("extend")(state, rule, begin, end));
    return {score, next};
  }
  double finish(std::uint32_t state) override {
    nb::gil_scoped_acquire gil;
    return nb::cast<double>(object_.attr("finish")(state));
  }

 private:
  nb::object object_;
};

// What rule templates say of rules, as arrays that Python keeps alive.
struct RuleAnswers {
  Ids rules;
  Ends ends;
  Array<FeatureId> ids;
  Array<double> values;
  Array<FeatureId> orientation_keys;
  Ids boundary_keys;
  Array<std::uint8_t> counts;
  Array<std::uint8_t> flags;
  Ids strides;
  Ends domains;

  RuleFeatures::Batch batch() const {
    return {view(rules),         view(ends),   view(ids),   view(values),  view(orientation_keys),
            view(boundary_keys), view(counts), view(flags), view(strides), view(domains)};
  }
};

// What a call works with: weights, settings, and what belongs to this batch alone.
struct Call {
  using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

  Call(Array<double> weights_, std::uint64_t version_, const Settings& settings_,
       std::vector<Ids> extra_lm_ids_, unsigned threads_)
      : weights(std::move(weights_)),
        version(version_),
        settings(settings_),
        extra_lm_ids(std::move(extra_lm_ids_)),
        threads(threads_) {}

  Decoder::Call native() {
    Decoder::Call call{
        Weights(weight_rows()), version, settings, &extra_features, {}, user.get(), threads};
    for (const Ids& ids : extra_lm_ids) call.extra_lm_ids.push_back(view(ids));
    return call;
  }

  // Weights in a learner's rows instead: the columns of weight and, where something is owed, of
  // what was paid and the unit.
  void use_rows(Rows rows, const std::vector<std::uint32_t>& columns, double now) {
    if (columns.size() != 1 && columns.size() != 3)
      throw ConfigError("one column of weights, or three with what is owed");
    for (const std::uint32_t column : columns)
      if (column >= rows.shape(1)) throw ConfigError("the rows of weights have no such column");
    learner_rows = std::move(rows);
    row_columns = columns;
    clock = now;
  }
  Weights::Rows weight_rows() const {
    if (row_columns.empty()) return {.values = view(weights)};
    Weights::Rows rows{.values = {learner_rows.data(), learner_rows.size()},
                       .width = static_cast<std::uint32_t>(learner_rows.shape(1)),
                       .weight = row_columns[0]};
    if (row_columns.size() == 3) {
      rows.owed = true;
      rows.paid = row_columns[1];
      rows.unit = row_columns[2];
      rows.clock = clock;
    }
    return rows;
  }

  Rows learner_rows;
  std::vector<std::uint32_t> row_columns;
  double clock = 0;
  Array<double> weights;
  std::uint64_t version;
  Settings settings;
  std::vector<Ids> extra_lm_ids;
  unsigned threads;
  RuleFeatures extra_features;
  std::unique_ptr<PythonFeatures> user;
};

}  // namespace miriam::bind
