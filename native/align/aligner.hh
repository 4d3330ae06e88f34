// Alignments of sentence pairs by a trained table and its position models.
#pragma once

#include "align/bitext.hh"
#include "align/links.hh"
#include "align/positions.hh"
#include "align/table.hh"
#include "base/progress.hh"

namespace miriam::align {

struct Aligner {
  TableView table;
  Positions forward;  // target words observed, source words given
  Positions reverse;
};

struct Directions {
  Links forward;  // at most one source word for a target word
  Links reverse;  // at most one target word for a source word
};

// The best alignments of each direction (Viterbi). A pair with an empty side has no links.
Directions align_best(const Aligner& aligner, const Bitext& bitext, unsigned threads,
                      Progress& progress);

// The links whose posteriors, the mean of both directions, are at least `threshold`.
Links align_likely(const Aligner& aligner, const Bitext& bitext, float threshold, unsigned threads,
                   Progress& progress);

}  // namespace miriam::align
