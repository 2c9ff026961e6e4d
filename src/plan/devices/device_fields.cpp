#include "plan/devices/device_fields.h"

namespace plimsoll {
namespace {

constexpr double kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;

constexpr UnitName kBytes[] = {{"B", 1},     {"KB", 1e3},  {"MB", 1e6},  {"GB", 1e9}, {"TB", 1e12},
                               {"KiB", kKi}, {"MiB", kMi}, {"GiB", kGi}, {"TiB", kTi}};
constexpr UnitName kBytesPerSecond[] = {{"MB/s", 1e6},  {"GB/s", 1e9},  {"TB/s", 1e12},
                                        {"MiB/s", kMi}, {"GiB/s", kGi}, {"TiB/s", kTi}};
constexpr UnitName kBitsPerSecond[] = {{"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8}, {"Tbit/s", 1e12 / 8}};
constexpr UnitName kImagesPerSecond[] = {{"images/s", 1}};
constexpr UnitName kHertz[] = {{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
constexpr UnitName kFlopsPerSecond[] = {{"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
constexpr UnitName kOpsPerSecond[] = {{"GOP/s", 1e9}, {"TOP/s", 1e12}, {"POP/s", 1e15}};
constexpr UnitName kCount[] = {{"count", 1}};
constexpr UnitName kBits[] = {{"bit", 1}};
constexpr UnitName kFlop[] = {{"flop", 1}};
constexpr UnitName kWatts[] = {{"W", 1}, {"kW", 1e3}};
constexpr UnitName kDollars[] = {{"USD", 1}};
constexpr UnitName kDollarsPerHour[] = {{"USD/h", 1}};

// Writes to one member, whatever its unit's type.
template <auto member>
void set(Device& device, double value) {
  using Type = typename std::remove_reference_t<decltype(device.*member)>::value_type;
  if constexpr (requires(Type quantity) { quantity.overflowed(); }) device.*member = Type(int64_t(value));  // counted
  else device.*member = Type{value};
}

// Told and checked, and read from the figures by the few who want it.
void kept(Device&, double) {}

constexpr FigureField kFields[] = {
    {"memory", kBytes, true, set<&Device::memory>},
    {"memory_max", kBytes, true, set<&Device::memory_max>},
    {"memory_bandwidth", kBytesPerSecond, false, set<&Device::memory_bandwidth>},
    {"memory_bus", kBits, true, kept},
    {"memory_rate", kBitsPerSecond, false, kept},
    {"reached_bandwidth", kBytesPerSecond, false, set<&Device::reached_bandwidth>},
    {"cores", kCount, true, set<&Device::cores>},
    {"units", kCount, true, set<&Device::units>},
    {"tensor_cores", kCount, true, set<&Device::tensor_cores>},
    {"threads", kCount, true, set<&Device::threads>},
    {"sockets", kCount, true, set<&Device::sockets>},
    {"f32_per_cycle", kFlop, false, set<&Device::f32_per_cycle>},
    {"base_clock", kHertz, false, set<&Device::base_clock>},
    {"boost_clock", kHertz, false, set<&Device::boost_clock>},
    {"vector_clock", kHertz, false, set<&Device::vector_clock>},
    {"l1_cache", kBytes, true, set<&Device::l1_cache>},
    {"l2_cache", kBytes, true, set<&Device::l2_cache>},
    {"l3_cache", kBytes, true, set<&Device::l3_cache>},
    {"l1_bandwidth", kBytesPerSecond, false, set<&Device::l1_bandwidth>},
    {"l2_bandwidth", kBytesPerSecond, false, set<&Device::l2_bandwidth>},
    {"l3_bandwidth", kBytesPerSecond, false, set<&Device::l3_bandwidth>},
    {"core_bandwidth", kBytesPerSecond, false, set<&Device::core_bandwidth>},
    {"fresh_bandwidth", kBytesPerSecond, false, kept},
    {"tdp", kWatts, false, set<&Device::tdp>},
    {"disk_read", kBytesPerSecond, false, set<&Device::disk_read>},
    {"disk_write", kBytesPerSecond, false, set<&Device::disk_write>},
    {"decode_rate", kImagesPerSecond, false, set<&Device::decode_rate>},
    {"decode_rate_augmented", kImagesPerSecond, false, set<&Device::decode_rate_augmented>},
    {"host_link", kBytesPerSecond, false, set<&Device::host_link>},
    {"device_link", kBytesPerSecond, false, set<&Device::device_link>},
    {"network", kBitsPerSecond, false, set<&Device::network>},
    {"price", kDollars, false, set<&Device::price>},
    {"price_per_hour", kDollarsPerHour, false, set<&Device::price_per_hour>},
};

}  // namespace

std::span<const FigureField> all_figure_fields() { return kFields; }

std::span<const UnitName> peak_units(DType type) {
  return is_floating(type) ? std::span<const UnitName>(kFlopsPerSecond) : std::span<const UnitName>(kOpsPerSecond);
}

std::string unit_names(std::span<const UnitName> units) {
  std::string text;
  for (const auto& unit : units) text += (text.empty() ? "" : ", ") + std::string(unit.name);
  return text;
}

}  // namespace plimsoll
