// fit without a network: --model-mb 100 --sample-mb 100 --activation-mb 500 --memory 8GB, for those who have only
// numbers (R12). The verb itself is in fit.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

struct ArithmeticFlags {
  std::string model_mb, sample_mb, activation_mb;

  void declare(CLI::App& app);
  bool given() const { return !model_mb.empty() || !sample_mb.empty() || !activation_mb.empty(); }
};

// What the verb's other flags say, as they were typed; empty where they were not given.
struct ArithmeticFitRequest {
  std::string memory;            // either this …
  std::optional<Device> device;  // … or this: the part that computes
  std::string batch, load_line, disk;
  bool json = false;
};

// Prints the answer; the exit code is 1 when it does not fit.
Result<int> run_arithmetic_fit(const ArithmeticFlags& flags, const ArithmeticFitRequest& request);

// The same as text, for tests and other fronts.
struct ArithmeticAnswer {
  std::string text;
  bool fits = false;
};
Result<ArithmeticAnswer> answer_arithmetic_fit(const ArithmeticFlags& flags, const ArithmeticFitRequest& request);

}  // namespace plimsoll
