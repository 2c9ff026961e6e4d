#include "plan/devices/guessed_device.h"

#include <algorithm>
#include <charconv>

#include "base/loose_name.h"
#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

// What stands before the part's own name and is often left out, and what drivers add within it.
constexpr std::string_view kBefore[] = {"nvidia",  "amd",    "intel", "apple",  "aws",  "azure",  "gcp", "google",
                                        "geforce", "radeon", "tesla", "quadro", "rtx",  "gtx",    "rx",  "ryzen9",
                                        "ryzen7",  "ryzen5", "epyc",  "xeon",   "core", "arcpro", "arc", "instinct"};
constexpr std::string_view kWithin[] = {"sxm5",  "sxm4", "sxm2",      "sxm",         "pcie",    "hbm3e",     "hbm3",
                                        "hbm2e", "hbm2", "blackwell", "workstation", "edition", "generation"};
constexpr std::string_view kAfter = "gpu";  // of the graphics part of a chip

// "NVIDIA GeForce RTX 4090" and "nvidia-rtx-4090" are both "4090".
std::string core_of(std::string_view name) {
  std::string core = loose_name(name);
  for (bool cut = true; cut;) {
    cut = false;
    for (const auto word : kBefore)
      if (core.size() > word.size() && core.starts_with(word)) {
        core.erase(0, word.size());
        cut = true;
      }
  }
  if (core.size() > kAfter.size() && core.ends_with(kAfter)) core.erase(core.size() - kAfter.size());
  return core;
}

// "a100sxm480gb" is "a10080gb".
std::string without_form(std::string core) {
  for (const auto word : kWithin)
    if (const size_t at = core.find(word); at != std::string::npos && core.size() > word.size())
      core.erase(at, word.size());
  return core;
}

// "80gb" is 80; nullopt when it is no size of memory.
std::optional<int> gigabytes(std::string_view text) {
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || std::string_view(end, size_t(text.data() + text.size() - end)) != "gb")
    return std::nullopt;
  return size;
}

std::optional<GuessedDevice> guess_core(const std::string& wanted) {
  std::vector<std::pair<int, std::string>> found;  // by memory, where the name ends in a size of it
  for (const auto& file : all_device_files()) {
    const std::string core = core_of(file.name);
    if (core == wanted) return GuessedDevice{std::string(file.name), {}};
    if (!core.starts_with(wanted)) continue;
    if (const auto size = gigabytes(std::string_view(core).substr(wanted.size()))) found.emplace_back(*size, file.name);
  }
  if (found.empty()) return std::nullopt;
  std::sort(found.rbegin(), found.rend());
  GuessedDevice guess{found.front().second, {}};
  for (size_t i = 1; i < found.size(); ++i) guess.others.push_back(found[i].second);
  return guess;
}

// "306012gb" is "3060", if that has 12 GiB.
std::optional<GuessedDevice> guess_with_memory(const std::string& wanted) {
  size_t begin = wanted.size() < 3 ? 0 : wanted.size() - 2;
  for (size_t digits = 0; digits < 3 && begin > 1; ++digits) {
    const auto size = gigabytes(std::string_view(wanted).substr(--begin));
    if (!size) return std::nullopt;
    const auto guess = guess_core(wanted.substr(0, begin));
    if (!guess) continue;
    const auto device = find_device(guess->name);
    constexpr int64_t kGiB = int64_t{1} << 30;
    if (device.ok() && device->memory && device->memory->value() == *size * kGiB) return guess;
  }
  return std::nullopt;
}

}  // namespace

std::optional<GuessedDevice> guess_device(std::string_view typed) {
  const std::string wanted = core_of(typed);
  if (wanted.empty()) return std::nullopt;
  if (auto guess = guess_core(wanted)) return guess;
  const std::string plain = without_form(wanted);
  if (auto guess = guess_core(plain)) return guess;
  if (auto guess = guess_core(plain + "gb")) return guess;  // "a100-40"
  return guess_with_memory(plain);
}

}  // namespace plimsoll
