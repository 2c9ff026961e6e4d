// How far off answers about trainings of networks of tokens have been, by kind: of rows that nothing was fitted to.
// tests/numeric holds each figure to its measurements.
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

struct TokenAccuracy {
  std::string_view kind;  // "LoRA and QLoRA on one GPU"
  std::string_view source;
  int64_t rows = 0;
  double median_error = 0;  // share of the measured
  double largest_error = 0;
};

const TokenAccuracy& adapter_memory_accuracy();
const TokenAccuracy& full_memory_accuracy();
const TokenAccuracy& training_speed_accuracy();

}  // namespace plimsoll
