// Devices by the names that people try: "4090", "RTX 4090", "NVIDIA GeForce RTX 4090", "h100", "A100-SXM4-80GB",
// "g5.xlarge". A short name that several devices have stands for the one with the most memory, and that is said.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct GuessedDevice {
  std::string name;                 // in the catalog
  std::vector<std::string> others;  // that the guess may mean too
};

// nullopt: nothing in the catalog is called anything like it.
std::optional<GuessedDevice> guess_device(std::string_view typed);

}  // namespace plimsoll
