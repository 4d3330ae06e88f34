// Work cut into numbered tasks, run by several threads.
//
// The cut is the caller's and never depends on the number of threads; a caller that sums results
// does so in task order afterwards. So the same input gives the same bytes with any thread count.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace miriam {

// Calls task(i) for each i in [0, count) on up to `threads` threads; rethrows the first error by i.
template <class Task>
void parallel_for(std::size_t count, unsigned threads, const Task& task) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::size_t failed_at = count;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < count && !failed.load(); i = next.fetch_add(1)) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed.store(true);
        if (i < failed_at) {
          failed_at = i;
          error = std::current_exception();
        }
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    const std::size_t helpers = std::min<std::size_t>(threads, count) - 1;
    pool.reserve(helpers);
    for (std::size_t t = 0; t < helpers; ++t) pool.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace miriam
