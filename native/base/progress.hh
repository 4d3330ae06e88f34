// What a long native call tells its caller while it runs, and how the caller stops it.
//
// 1. The caller makes a Progress and starts the call on another thread.
// 2. The call says expect(total) once and advance(n) as it goes, from any thread.
// 3. The caller reads done() and total() for a progress bar, and may say stop():
//    the next advance() then throws Interrupted, and the call unwinds.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/error.hh"

namespace miriam {

class Progress {
 public:
  void expect(std::uint64_t total) {
    done_.store(0, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
  }
  void advance(std::uint64_t n = 1) {
    done_.fetch_add(n, std::memory_order_relaxed);
    if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
  }
  void stop() { stop_.store(true, std::memory_order_relaxed); }
  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace miriam
