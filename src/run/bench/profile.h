// Profile: where a step's time goes, by kinds of operations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include "base/rows/json.h"

#include "base/units.h"
#include "plan/memory/lowering.h"

namespace plimsoll {

// What all operations of one kind take in a step, on average over the faster half of the timed steps: what disturbs a
// step is no part of it.
struct ProfileLine {
  std::string kind;  // as operation_kind() names it
  int64_t operations = 0;
  Seconds time;
  Flops flops;  // convolutions counted directly
  Bytes moved;  // read and written, as the operations' rules say
  std::optional<Seconds> predicted = {};
};

struct Profile {
  std::vector<ProfileLine> lines;  // the longest first
  Seconds step;                    // of a timed step
  Seconds outside() const;         // within it: between the operations, above all samples being brought in
};

struct TimedStep {
  Seconds whole;
  std::vector<Seconds> of_each;  // operation of the lowered program
};

// At least one step.
Profile make_profile(const Lowered& lowered, std::vector<TimedStep> steps);

// Sets `predicted` of each line from what was predicted of each operation of the lowered program, in one pass.
void set_predicted(Profile& profile, const Lowered& lowered, std::span<const Seconds> of_each);

// As it is sent from the process that measured.
Json packed(const Profile& profile);
Profile unpacked(const Json& json);

}  // namespace plimsoll
