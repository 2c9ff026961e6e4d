// Where libtorch may be, looked for without starting Python: in PLIMSOLL_TORCH, the active virtual environment,
// ~/.plimsoll, and the site-packages of the python3 on the PATH.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace plimsoll {

// The oldest that has all functions of torch_api.h.
struct TorchRelease {
  int major = 2, minor = 13;
};
inline constexpr TorchRelease kOldestTorch;

// The command that brings a torch which is found.
inline constexpr const char* kInstallTorch = "python3 -m venv ~/.plimsoll && ~/.plimsoll/bin/pip install torch";

// The folder that libtorch_cpu.so is in.
Result<std::string> find_torch();

// "2.15.0+cu132", as the package beside that folder says; nullopt: it says nothing.
std::optional<std::string> stated_version(const std::string& folder);
std::optional<TorchRelease> release_of(const std::string& version);

// As a package says it, before anything of it is opened.
Status check_release(const std::string& folder);

}  // namespace plimsoll
