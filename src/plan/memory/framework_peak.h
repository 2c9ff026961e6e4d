// framework_peak: the most memory that a step takes in another framework, by replaying its tensors, in order,
// through that framework's allocator. No layout is made; the time is n log n.
#pragma once

#include "plan/memory/framework_profile.h"
#include "plan/memory/memory_plan.h"

namespace plimsoll {

struct PeakRange {
  Bytes low, expected, high;
};

// What is said for an expected peak of another framework; high is at most 1.3 times low.
PeakRange peak_range(Bytes expected);

// Our own plan is exact: what it says is what a run takes.
PeakRange exact_range(Bytes peak);

struct FrameworkPeak {
  PeakRange range;              // of the whole device: fixed and held together
  Bytes fixed;                  // context, libraries, what is kept away from tensors
  Bytes held;                   // by the allocator
  Bytes needed;                 // of the whole device to run at all: fixed, tensors, and what gaps between them lose
  Bytes live;                   // of it in tensors and scratch memory at the fullest moment
  MemoryBreakdown tensors;      // of these, by what they are for; scratch memory and rounding are the rest
  int32_t fullest = 0;          // the operation of that moment
  std::optional<int32_t> over;  // the storage (an index into Lifetimes) whose allocation first crosses the line
};

// What is in use at the fullest moment of an operation.
struct MemoryInUse {
  Bytes tensors;
  Bytes all;  // with scratch memory, and as blocks are rounded
};

// `lifetimes` by the profile's own rules. With a line, scratch memory is taken only where it stays below: the
// libraries have slower ways without it. The expected peak is beyond the line exactly when some storage is `over`.
// `timeline`, where it is asked for, gets an entry for each operation of the step; the largest is the peak's `live`.
FrameworkPeak framework_peak(const FrameworkProfile& profile, const Program& program, const Lifetimes& lifetimes,
                             std::optional<Bytes> line = std::nullopt, std::vector<MemoryInUse>* timeline = nullptr);

// What is known of `needed`, less the fixed part, without a replay: an allocator with room for everything holds no less
// than tensors and workspaces, and a step runs in its tensors with a little more for gaps and scratch memory. Where
// scratch memory is large the two ends are one.
struct NeededBounds {
  Bytes least, most;
};
NeededBounds needed_bounds(const FrameworkProfile& profile, const Program& program, const Lifetimes& lifetimes);

}  // namespace plimsoll
