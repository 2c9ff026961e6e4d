// Declined: an implementation that was asked to run an operation and could not, and what ran it instead. Only of
// operations that did not get the first implementation there is for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ir/program.h"

namespace plimsoll {

inline constexpr std::string_view kByReference = "reference";  // plain maths, the last resort

// All texts are literals of the program: nothing is built while a step is lowered.
struct Declined {
  size_t operation;                 // its index in the lowered Program
  std::string_view implementation;  // that was asked: "winograd"; empty: there was none to ask
  std::string_view reason;          // "its kernel is not 3x3"
  std::string_view taken_by;        // the implementation that runs it
};

// Operations of one kind that were declined in the same way.
struct DeclinedGroup {
  std::string op;  // "conv"
  std::string_view implementation, reason, taken_by;
  int64_t operations = 0;
  std::string example;  // the name of the first
};

// Those that run by reference maths first, then by how many operations a group has.
std::vector<DeclinedGroup> grouped(const Program& program, std::span<const Declined> declined);

// "12 conv (first: layer1.0.conv1): not by winograd, its kernel is not 3x3; taken by conv"
std::string line_of(const DeclinedGroup& group);

}  // namespace plimsoll
