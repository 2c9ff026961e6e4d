#include "plan/devices/all_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "plan/devices/guessed_device.h"
#include "plan/devices/read_device.h"
#include "plan/devices/this_device.h"

namespace plimsoll {
namespace {

Result<Device> parse(const CatalogFile& file) {
  auto device = read_device(file.json);
  if (!device.ok()) return std::move(device).error().in(fmt::format("catalog/devices/{}.json", file.name));
  return device;
}

const CatalogFile* file_named(std::string_view name) {
  const auto files = all_device_files();
  const auto at = std::lower_bound(files.begin(), files.end(), name,
                                   [](const CatalogFile& file, std::string_view wanted) { return file.name < wanted; });
  return at != files.end() && at->name == name ? &*at : nullptr;
}

// "NVIDIA T4" and "nvidia_t4" as the catalog would spell them, to find what is near.
std::string catalog_spelling(std::string_view name) {
  std::string spelled(name.substr(0, 100));
  for (char& c : spelled) c = c == ' ' || c == '_' ? '-' : char(std::tolower(static_cast<unsigned char>(c)));
  return spelled;
}

}  // namespace

Result<std::vector<Device>> all_devices() {
  std::vector<Device> devices;
  for (const auto& file : all_device_files()) {
    PLIM_ASSIGN(Device device, parse(file));
    devices.push_back(std::move(device));
  }
  return devices;
}

Result<Device> find_device(const std::string& name) {
  if (const auto* file = file_named(name)) return parse(*file);
  std::vector<std::string> known;
  PLIM_ASSIGN(auto devices, all_devices());
  for (auto& device : devices) {
    known.push_back(device.name);
    for (const auto& alias : device.aliases) {
      if (alias == name) return std::move(device);
      known.push_back(alias);
    }
  }
  if (const auto guessed = guess_device(name)) return parse(*file_named(guessed->name));
  const bool kind = name == "cpu" || name == "gpu" || name == "mps" || name == "local" || name == "localhost";
  if (kind)
    return user_error(fmt::format("{} is not the name of a device", plimsoll::in_quotes(name)),
                      "'this' is this machine; 'plimsoll devices' lists the others");
  const std::string guess = did_you_mean(catalog_spelling(name), known);
  if (name.starts_with("cuda") || name.starts_with("torch"))
    return user_error(fmt::format("no device is called {} here", plimsoll::in_quotes(name)),
                      "cuda:N and torch:cpu are for fit and for what runs here; elsewhere give the device file that "
                      "'plimsoll probe --device' writes");
  return user_error(fmt::format("no device is called {}", plimsoll::in_quotes(name)),
                    guess.empty() ? "see 'plimsoll devices', or give a file: ./mine.json" : guess);
}

Result<Device> load_device(const std::string& name_or_path) {
  if (name_or_path == kThisDevice) {
    PLIM_ASSIGN(ThisDevice here, load_this_device());
    return std::move(here.device);
  }
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  return is_path ? read_device_file(name_or_path) : find_device(name_or_path);
}

Result<std::optional<Device>> host_part(const Device& device) {
  for (const auto& contained : device.contains) {
    PLIM_ASSIGN(Device part, find_device(contained.device));
    if (part.kind != DeviceKind::cpu) continue;
    const int64_t of_one =
        part.threads && part.cores ? std::max<int64_t>(1, part.threads->value() / part.cores->value()) : 1;
    if (contained.threads > 0) part.cores = Count(std::max<int64_t>(1, contained.threads / of_one));
    else if (part.cores) part.cores = *part.cores * std::max<int64_t>(1, contained.count);
    return std::optional(std::move(part));
  }
  return std::optional<Device>();
}

Result<ComputePart> compute_part(const Device& device) {
  if (device.contains.empty()) return ComputePart{device, 1};
  ComputePart cpu;
  for (const auto& contained : device.contains) {
    auto part = find_device(contained.device);
    if (!part.ok()) return std::move(part).error().in(device.name + ": contains");
    if (!part->contains.empty())
      return user_error(fmt::format("contains {}, which is itself made of others; expected chips", part->name))
          .in(device.name);
    if (part->kind == DeviceKind::gpu) return ComputePart{*std::move(part), std::max<int64_t>(1, contained.count)};
    cpu = {*std::move(part), std::max<int64_t>(1, contained.count)};
  }
  if (!device.peak.contains(DType::f32)) return cpu;
  // A share of a CPU: the instance's own figures say how much of it there is.
  ComputePart share{device, 1};
  share.device.kind = DeviceKind::cpu;
  share.device.contains.clear();
  return share;
}

}  // namespace plimsoll
