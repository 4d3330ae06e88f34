#include "base/parallel.hh"

#include <numeric>
#include <string>
#include <vector>

#include "base/progress.hh"
#include "tests/check.hh"

namespace {

void every_task_runs_once() {
  for (const unsigned threads : {1u, 2u, 4u}) {
    std::vector<int> runs(1000, 0);
    miriam::parallel_for(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    CHECK(std::accumulate(runs.begin(), runs.end(), 0) == 1000);
    CHECK(*std::max_element(runs.begin(), runs.end()) == 1);
  }
}

void an_error_reaches_the_caller() {
  for (const unsigned threads : {1u, 4u}) {
    std::string message;
    try {
      miriam::parallel_for(100, threads, [](std::size_t i) {
        if (i == 50) throw miriam::InputError("fifty");
      });
    } catch (const miriam::InputError& error) {
      message = error.what();
    }
    CHECK(message == "fifty");
  }
}

void stop_ends_the_work() {
  miriam::Progress progress;
  bool interrupted = false;
  try {
    miriam::parallel_for(100, 4, [&](std::size_t i) {
      if (i == 10) progress.stop();
      progress.advance();
    });
  } catch (const miriam::Interrupted&) {
    interrupted = true;
  }
  CHECK(interrupted);
}

}  // namespace

int main() {
  every_task_runs_once();
  an_error_reaches_the_caller();
  stop_ends_the_work();
  return miriam::test::failures();
}
