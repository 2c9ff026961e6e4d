#include "run/dist/packed_mean.h"

#include <algorithm>
#include <array>
#include <bit>

#include "run/dist/packed_numbers.h"

namespace plimsoll {
namespace {

constexpr size_t kSummedAtOnce = 4096;  // numbers that are added up at a time

size_t part_size(size_t count, int workers) { return (count + size_t(workers) - 1) / size_t(workers); }

// Each part has its power of two in front.
size_t packed_words(size_t count, int workers) { return size_t(workers) * (part_size(count, workers) + 1); }

int16_t power_of(const uint16_t* part) { return std::bit_cast<int16_t>(*part); }

// f(place, numbers) for pieces, one after the other, cut where parts end; `place` is where the packed ones are.
template <class F>
void each_run(const std::vector<std::span<float>>& pieces, size_t part, F&& f) {
  size_t at = 0;
  for (const auto piece : pieces)
    for (size_t from = 0; from < piece.size();) {
      const size_t count = std::min(piece.size() - from, part - at % part);
      f(at / part * (part + 1) + 1 + at % part, piece.subspan(from, count));
      at += count;
      from += count;
    }
}

}  // namespace

PackedMean::PackedMean(DType format, size_t most, int workers)
    : format_(format), most_(most), mine_(packed_words(most, workers)), theirs_(packed_words(most, workers)) {}

Bytes PackedMean::memory(size_t most, int workers) {
  return Bytes(int64_t(2 * sizeof(uint16_t) * packed_words(most, workers)));
}

Rounded PackedMean::take(Communicator& all, const std::vector<std::span<float>>& pieces) {
  Rounded rounded;
  std::vector<std::span<float>> together;
  size_t count = 0;
  const auto send = [&] {
    if (count == 0) return;
    const Rounded one = take_together(all, together, count);
    rounded.sent += one.sent;
    rounded.mean += one.mean;
    together.clear();
    count = 0;
  };
  for (auto piece : pieces)
    while (!piece.empty()) {
      const size_t taken = std::min(piece.size(), most_ - count);
      together.push_back(piece.first(taken));
      piece = piece.subspan(taken);
      count += taken;
      if (count == most_) send();
    }
  send();
  return rounded;
}

Rounded PackedMean::take_together(Communicator& all, const std::vector<std::span<float>>& pieces, size_t count) {
  const int workers = all.size();
  const size_t part = part_size(count, workers), used = packed_words(count, workers);
  int16_t power = packing_power(format_, pieces[0]);
  for (const auto piece : pieces) power = std::min(power, packing_power(format_, piece));
  Rounded rounded;
  std::fill_n(mine_.begin(), used, uint16_t{0});
  for (size_t at = 0; at < used; at += part + 1) mine_[at] = std::bit_cast<uint16_t>(power);
  each_run(pieces, part, [&](size_t place, std::span<float> numbers) {
    rounded.sent += pack(format_, power, numbers, &mine_[place]);
  });
  all.deal(std::as_bytes(std::span(mine_).first(used)), std::as_writable_bytes(std::span(theirs_).first(used)));
  rounded.mean = add_up(workers, part);
  all.collect(std::as_bytes(std::span(mine_).first(part + 1)), std::as_writable_bytes(std::span(theirs_).first(used)));
  each_run(pieces, part, [&](size_t place, std::span<float> numbers) {
    unpack(format_, power_of(&theirs_[place / (part + 1) * (part + 1)]), &theirs_[place], numbers);
  });
  return rounded;
}

// A mean is no larger than the largest of what it is of, so the smallest power of two suits it.
double PackedMean::add_up(int workers, size_t part) {
  int16_t power = power_of(&theirs_[0]);
  for (int i = 1; i < workers; ++i) power = std::min(power, power_of(&theirs_[size_t(i) * (part + 1)]));
  mine_[0] = std::bit_cast<uint16_t>(power);
  double changed = 0;
  std::array<float, kSummedAtOnce> sums;
  for (size_t from = 0; from < part; from += kSummedAtOnce) {
    const auto block = std::span(sums).first(std::min(kSummedAtOnce, part - from));
    std::fill(block.begin(), block.end(), 0.0F);
    for (int i = 0; i < workers; ++i) {
      const uint16_t* theirs = &theirs_[size_t(i) * (part + 1)];
      add_unpacked(format_, power_of(theirs), theirs + 1 + from, block);
    }
    for (float& sum : block) sum /= float(workers);
    changed += pack(format_, power, block, &mine_[1 + from]);
  }
  return changed;
}

}  // namespace plimsoll
