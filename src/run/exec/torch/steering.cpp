#include "run/exec/torch/steering.h"

#include <algorithm>

#include "plan/memory/pack.h"
#include "plan/memory/size_rules.h"
#include "run/exec/torch/torch_allocator.h"

namespace plimsoll {
namespace {

thread_local AllocationScope* scope_of_thread = nullptr;

constexpr int32_t kStillThere = -1;

// Whether `result`, had it been allocated where `output` lies, would be the output: the same numbers in the same order.
bool lies_alike(const TorchTensor& result, const TorchTensor& output) {
  return result.row_major() && result.type_number() == output.type_number() && result.count() == output.count();
}

}  // namespace

AllocationScope::AllocationScope() : before_(std::exchange(scope_of_thread, this)) {}

AllocationScope::~AllocationScope() { scope_of_thread = before_; }

AllocationScope* AllocationScope::now() { return scope_of_thread; }

RecordingScope::Life* RecordingScope::living(const std::byte* data) {
  const auto life = std::find_if(lives_.begin(), lives_.end(),
                                 [&](const Life& life) { return life.data == data && life.last == kStillThere; });
  return life == lives_.end() ? nullptr : &*life;
}

void RecordingScope::taken(const std::byte* data, size_t bytes) {
  lives_.push_back({data, bytes, moment_++, kStillThere});
}

void RecordingScope::released(const std::byte* data) {
  if (Life* life = living(data)) life->last = moment_++;
}

void RecordingScope::given(size_t i, const TorchTensor& result, const TorchTensor& output) {
  Life* life = living(result.data());
  if (life && life->output < 0 && lies_alike(result, output)) life->output = int32_t(i);
}

bool RecordingScope::all_released() const {
  return std::none_of(lives_.begin(), lives_.end(), [](const Life& life) { return life.last == kStillThere; });
}

AllocationRecord RecordingScope::record() const {
  std::vector<Block> blocks;
  for (const Life& life : lives_)
    if (life.output < 0)
      blocks.push_back({rounded_up(Bytes(int64_t(life.bytes)), kDeviceLine), life.first,
                        life.last == kStillThere ? moment_ : life.last});
  const Packing packing = pack(blocks);
  AllocationRecord record;
  record.workspace = packing.arena;
  size_t scratch = 0;
  for (const Life& life : lives_)
    record.allocations.push_back(
        {Bytes(int64_t(life.bytes)), life.output, life.output < 0 ? packing.offsets[scratch++] : Bytes(0)});
  return record;
}

std::byte* SteeringScope::place_of(size_t bytes) {
  if (next_ == places_.size() || places_[next_].bytes != bytes) return nullptr;
  return places_[next_++].place;
}

void SteeringScope::given(size_t /*i*/, const TorchTensor& result, const TorchTensor& /*output*/) {
  const std::byte* data = result.data();
  const bool placed = std::any_of(places_.begin(), places_.begin() + ptrdiff_t(next_),
                                  [&](const PlacedAllocation& place) { return place.place == data; });
  if (placed || is_from_system(data)) count_out_of_place();
}

}  // namespace plimsoll
