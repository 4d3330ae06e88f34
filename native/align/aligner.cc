#include "align/aligner.hh"

#include <algorithm>

#include "base/parallel.hh"

namespace miriam::align {
namespace {

void end_pair(Links& links) { links.ends.push_back(links.points.size()); }

void end_pair(Directions& links) {
  end_pair(links.forward);
  end_pair(links.reverse);
}

void append(Links& all, const Links& part) {
  const std::size_t before = all.points.size();
  all.points.insert(all.points.end(), part.points.begin(), part.points.end());
  for (const std::uint64_t end : part.ends) all.ends.push_back(before + end);
}

void append(Directions& all, const Directions& part) {
  append(all.forward, part.forward);
  append(all.reverse, part.reverse);
}

// Calls link(cells, out) for each sentence pair that has words on both sides, and joins what the
// tasks found. `Result` is Links or Directions.
template <class Result, class Link>
Result align_all(const Aligner& aligner, const Bitext& bitext, unsigned threads, Progress& progress,
                 const Link& link) {
  const TableView& table = aligner.table;
  std::vector<Result> parts(tasks_for(bitext.size()));
  progress.expect(bitext.size());
  parallel_for(parts.size(), threads, [&](std::size_t task) {
    PairCells cells;
    const std::size_t begin = task * kPairsPerTask;
    const std::size_t end = std::min(bitext.size(), begin + kPairsPerTask);
    for (std::size_t pair = begin; pair < end; ++pair) {
      const auto source = bitext.source[pair];
      const auto target = bitext.target[pair];
      if (!source.empty() && !target.empty()) {
        const auto translation = [&](std::size_t i, std::size_t j) {
          return table.find(source[i], target[j]);
        };
        fill(cells, source, target, translation, table.source_null, table.target_null);
        link(cells, parts[task]);
      }
      end_pair(parts[task]);
      progress.advance();
    }
  });
  Result all;
  for (const Result& part : parts) append(all, part);
  return all;
}

std::vector<std::uint32_t> best(const Positions& positions, const Matrix& cells) {
  std::vector<std::uint32_t> given(cells.rows());
  std::visit([&](const auto& model) { find_best(model, cells, given); }, positions);
  return given;
}

void posteriors(const Positions& positions, Matrix& cells) {
  const auto run = [&](const auto& model) {
    std::vector<double> unused(statistics_size(model));
    to_posteriors(model, cells, unused);
  };
  std::visit(run, positions);
}

}  // namespace

Directions align_best(const Aligner& aligner, const Bitext& bitext, unsigned threads,
                      Progress& progress) {
  const auto link = [&aligner](const PairCells& cells, Directions& out) {
    const auto sources = best(aligner.forward, cells.forward);
    const auto targets = best(aligner.reverse, cells.reverse);
    const auto begin = static_cast<std::ptrdiff_t>(out.forward.points.size());
    for (std::uint32_t j = 0; j < sources.size(); ++j) {
      if (sources[j] > 0) out.forward.points.push_back({sources[j] - 1, j});
    }
    std::sort(out.forward.points.begin() + begin, out.forward.points.end());
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (targets[i] > 0) out.reverse.points.push_back({i, targets[i] - 1});
    }
  };
  return align_all<Directions>(aligner, bitext, threads, progress, link);
}

Links align_likely(const Aligner& aligner, const Bitext& bitext, float threshold, unsigned threads,
                   Progress& progress) {
  const auto link = [&aligner, threshold](PairCells& cells, Links& out) {
    posteriors(aligner.forward, cells.forward);
    posteriors(aligner.reverse, cells.reverse);
    for (std::uint32_t i = 0; i < cells.reverse.rows(); ++i) {
      for (std::uint32_t j = 0; j < cells.forward.rows(); ++j) {
        const float both = cells.forward[j][i + 1] + cells.reverse[i][j + 1];
        if (both >= 2.0f * threshold) out.points.push_back({i, j});
      }
    }
  };
  return align_all<Links>(aligner, bitext, threads, progress, link);
}

}  // namespace miriam::align
