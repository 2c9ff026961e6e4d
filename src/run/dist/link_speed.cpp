#include "run/dist/link_speed.h"

#include <algorithm>
#include <chrono>

namespace plimsoll {
namespace {

constexpr int kRounds = 10;
constexpr size_t kLargeNumbers = 1 << 20;

// The fastest of some rounds: what disturbs one is not the link's.
double fastest(Communicator& communicator, std::span<float> numbers) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    communicator.barrier();
    const auto start = Clock::now();
    communicator.sum(numbers);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace

LinkSpeed measure_link(Communicator& communicator) {
  std::vector<float> numbers(kLargeNumbers, 0.0F);
  LinkSpeed speed;
  speed.latency = fastest(communicator, std::span(numbers).first(1));
  const double large = fastest(communicator, numbers);
  speed.bytes_per_second = double(kLargeNumbers * sizeof(float)) / std::max(large - speed.latency, 1e-9);
  communicator.broadcast(std::as_writable_bytes(std::span(&speed, 1)));
  return speed;
}

}  // namespace plimsoll
