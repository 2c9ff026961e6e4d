// RunDevice: where a step is computed: the processor by our own engine, or a device that the user's libtorch drives.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

struct RunDevice {
  enum class Kind : uint8_t { cpu, torch_cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;  // of a GPU

  bool by_torch() const { return kind != Kind::cpu; }
  bool operator==(const RunDevice&) const = default;
  std::string name() const;  // "cpu", "torch:cpu", "cuda:0"
};

// `called`: what the user gave it as, for the error.
Result<RunDevice> parse_run_device(const std::string& called, const std::string& text);

}  // namespace plimsoll
