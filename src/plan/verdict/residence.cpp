#include "plan/verdict/residence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"

namespace plimsoll {
namespace {

struct NamedBytes {
  const char* name;
  Bytes bytes;
};

Status check(const ResidenceSetup& setup) {
  const ResidentBytes& b = setup.bytes;
  for (const auto& [name, bytes] :
       {NamedBytes{"parameters", b.parameters}, NamedBytes{"gradients", b.gradients},
        NamedBytes{"optimizer state", b.optimizer}, NamedBytes{"activations", b.activations},
        NamedBytes{"activation gradients", b.activation_gradients}, NamedBytes{"input", b.input},
        NamedBytes{"sample files", b.files}, NamedBytes{"results", b.results}})
    if (bytes < Bytes(0) || bytes.overflowed())
      return user_error(fmt::format("{} of {} bytes, expected 0 or more, below 2^63", name, bytes.value()));
  if (setup.batch < 1) return user_error(fmt::format("the batch is {}, expected at least 1", setup.batch));
  if (setup.steps_per_epoch < 1)
    return user_error(fmt::format("an epoch has {} steps, expected at least 1", setup.steps_per_epoch));
  if (!(setup.disk.rate().per_second > 0) || !std::isfinite(setup.disk.rate().per_second))
    return user_error(fmt::format("the disk reads {} bytes/s, expected more than 0", setup.disk.rate().per_second));
  return {};
}

// Largest shared level; Device's L2 of a CPU is of one core, and only CPUs without L3 share it.
std::optional<Bytes> last_level(const Device& cpu) { return cpu.l3_cache ? cpu.l3_cache : cpu.l2_cache; }

// "PCIe 3.0 x16", as the device's file notes it.
std::string link_name(const Device& device) {
  const Figure* figure = device.figure("host_link");
  if (!figure || figure->note.empty()) return "host link";
  return figure->note.substr(0, figure->note.find(','));
}

class Builder {
 public:
  explicit Builder(const ResidenceSetup& setup)
      : setup_(setup), on_gpu_(setup.device.kind == DeviceKind::gpu), moved_(has_memory_of_its_own(setup.device)) {
    const Device* cpu = on_gpu_ ? (setup.host ? &*setup.host : nullptr) : &setup.device;
    if (cpu) {
      result_.cache = last_level(*cpu);
      ram_rate_ = cpu->memory_bandwidth;
    }
  }

  Residence build() && {
    add_residents();
    add_moves();
    add_remarks();
    return std::move(result_);
  }

 private:
  enum Where : unsigned { kDisk = 1, kRam = 2, kCache = 4, kDevice = 8 };

  void add(const char* what, Bytes bytes, unsigned where) {
    if (bytes == Bytes(0)) return;
    Resident resident{what, {}, {}, {}, {}};
    // Without a memory of its own the device computes in RAM.
    if (!moved_ && (where & kDevice)) where = (where & ~unsigned(kDevice)) | kRam | (on_gpu_ ? 0u : unsigned(kCache));
    if (where & kDisk) resident.disk = bytes;
    if (where & kRam) resident.ram = bytes;
    if (where & kDevice) resident.device = bytes;
    result_.disk += resident.disk.value_or(Bytes(0));
    result_.ram += resident.ram.value_or(Bytes(0));
    result_.device += resident.device.value_or(Bytes(0));
    if ((where & kCache) && result_.cache) resident.cache = std::min(bytes, *result_.cache);
    result_.residents.push_back(std::move(resident));
  }

  void add_residents() {
    const ResidentBytes& b = setup_.bytes;
    add("parameters", b.parameters, kDisk | kRam | kDevice);
    add("gradients", b.gradients, kDevice);
    add("optimizer state", b.optimizer, kDevice);
    add("sample files", b.files, kDisk | kRam);
    add("decoded batch", b.input, kRam | kCache | kDevice);
    add("activations", b.activations, kDevice);
    add("activation gradients", b.activation_gradients, kDevice);
  }

  void move(const char* what, Place from, Place to, std::string over, Bytes bytes, std::optional<Seconds> time,
            bool every_step) {
    if (bytes == Bytes(0)) return;
    Move move{what, from, to, std::move(over), bytes, time, every_step, std::nullopt};
    if (every_step && time) move.per_epoch = Seconds{time->value * double(setup_.steps_per_epoch)};
    result_.moves.push_back(std::move(move));
  }

  void from_disk(const char* what, Bytes bytes, int64_t files, bool every_step) {
    const double reaching = setup_.disk.access.value * double(files) / double(setup_.disk.drives);
    const Seconds time{reaching + double(bytes.value()) / setup_.disk.rate().per_second};
    move(what, Place::disk, Place::ram, setup_.disk.title, bytes, time, every_step);
  }

  void over_link(const char* what, Place from, Place to, Bytes bytes, bool every_step) {
    if (!moved_) return;
    const Transfer moved = transfer(setup_.device, bytes, setup_.host_memory);
    move(what, from, to, fmt::format("{} by DMA, {}", link_name(setup_.device), name_of(setup_.host_memory)), bytes,
         moved.time, every_step);
  }

  void to_caches(const char* what, Bytes bytes, bool every_step) {
    std::optional<Seconds> time;
    if (ram_rate_) time = Seconds{double(bytes.value()) / ram_rate_->per_second};
    move(what, Place::ram, Place::cache, "memory bus", bytes, time, every_step);
  }

  void add_moves() {
    const ResidentBytes& b = setup_.bytes;
    from_disk("parameters", b.parameters, 1, false);
    over_link("parameters", Place::ram, Place::device, b.parameters, false);
    from_disk("sample files", b.files, setup_.batch, true);
    to_caches("sample files, to be decoded", b.files, true);
    over_link("decoded batch", Place::ram, Place::device, b.input, true);
    over_link("results", Place::device, Place::ram, b.results, true);
    if (on_gpu_) return;
    // At least once a step each; what stays in the cache from one step to the next is not moved again.
    const Bytes all = b.parameters + b.gradients + b.optimizer + b.input + b.activations + b.activation_gradients;
    const bool stays = result_.cache && all <= *result_.cache;
    to_caches("model", b.parameters + b.gradients + b.optimizer, !stays);
    to_caches("decoded batch", b.input, true);
    to_caches("activations and their gradients", b.activations + b.activation_gradients, !stays);
  }

  void add_remarks() {
    if (moved_) result_.remarks.push_back(device_remark());
    else if (on_gpu_)
      result_.remarks.push_back(
          "The device file gives no host_link: its memory is taken as shared with the CPU, and "
          "nothing is moved to it.");
    else
      result_.remarks.push_back(fmt::format("The CPU computes in RAM: {} are there, nothing is moved to a device.",
                                            human_bytes(result_.ram)));
    if (!on_gpu_ && result_.cache) result_.remarks.push_back(cache_remark());
    if (const Move* slowest = slowest_move())
      result_.remarks.push_back(fmt::format("The longest move of a step: {}, {} → {}, {}.", slowest->what,
                                            name_of(slowest->from), name_of(slowest->to), human_time(*slowest->time)));
  }

  std::string device_remark() const {
    const ResidentBytes& b = setup_.bytes;
    const Bytes gradients = b.gradients + b.activation_gradients;
    return fmt::format(
        "The model ({}) and each batch ({}) pass through RAM; activations{} ({}) live on the device only.",
        human_bytes(b.parameters), human_bytes(b.input), gradients == Bytes(0) ? "" : " and gradients",
        human_bytes(b.activations + gradients));
  }

  std::string cache_remark() const {
    if (result_.ram <= *result_.cache)
      return fmt::format("All of it fits in the last level of cache, {}.", human_bytes(*result_.cache));
    return fmt::format("The last level of cache holds {}, {} of that: the rest is read from RAM again in each step.",
                       human_bytes(*result_.cache),
                       percent(double(result_.cache->value()) / double(result_.ram.value())));
  }

  const Move* slowest_move() const {
    const Move* slowest = nullptr;
    for (const auto& move : result_.moves)
      if (move.every_step && move.time && (!slowest || *move.time > *slowest->time)) slowest = &move;
    return slowest;
  }

  const ResidenceSetup& setup_;
  const bool on_gpu_, moved_;
  std::optional<BytesPerSecond> ram_rate_;
  Residence result_;
};

}  // namespace

std::string_view name_of(Place place) {
  switch (place) {
    case Place::disk: return "disk";
    case Place::ram: return "RAM";
    case Place::cache: return "CPU caches";
    case Place::device: return "device";
  }
  return "";
}

Result<Residence> residence(const ResidenceSetup& setup) {
  PLIM_TRY(check(setup));
  return Builder(setup).build();
}

}  // namespace plimsoll
