#include "run/exec/torch/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "base/text.h"
#include "run/exec/torch/find_torch.h"

namespace plimsoll {
namespace {

constexpr const char* kNcclLibrary = "libnccl.so.2";
constexpr int kNcclFloat32 = 7, kNcclAverage = 4;  // as nccl.h numbers them
constexpr int kOldestAveraging = 21000;            // 2.10

// In the wheel beside torch's, else where the system has it.
std::string nccl_file() {
  if (const char* given = std::getenv("PLIMSOLL_NCCL"); given && *given) return given;
  if (const auto torch = find_torch(); torch.ok()) {
    const auto wheel = std::filesystem::path(*torch) / "../../nvidia/nccl/lib" / kNcclLibrary;
    std::error_code ignored;
    if (std::filesystem::exists(wheel, ignored)) return wheel.string();
  }
  return kNcclLibrary;
}

}  // namespace

Result<const Nccl*> Nccl::open(const RunDevice& device) {
  static std::mutex mutex;
  static std::unique_ptr<const Nccl> opened;
  const std::lock_guard lock(mutex);
  if (opened) return opened.get();
  const char* given = std::getenv("PLIMSOLL_NCCL");
  if (device.kind != RunDevice::Kind::cuda && !(given && *given))
    return environment_error(fmt::format("NCCL is for GPUs, and this is {}", device.name()));
  std::unique_ptr<Nccl> nccl(new Nccl());
  PLIM_TRY(nccl->load(nccl_file()));
  opened = std::move(nccl);
  return opened.get();
}

Status Nccl::load(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return environment_error(fmt::format("NCCL is not found ({})", printable(why ? why : file, 200)),
                             "pip install nvidia-nccl-cu13 beside torch brings it");
  }
  std::string missing;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function && missing.empty()) missing = name;
  };
  find("ncclGetVersion", get_version);
  find("ncclGetUniqueId", get_id);
  find("ncclCommInitRank", init_rank);
  find("ncclCommDestroy", destroy);
  find("ncclAllReduce", all_reduce);
  find("ncclGroupStart", group_start);
  find("ncclGroupEnd", group_end);
  find("ncclGetErrorString", error_text);
  if (!missing.empty())
    return environment_error(fmt::format("{} is not NCCL: it has no function {}", in_quotes(file), missing));
  int version = 0;
  if (get_version(&version) != 0 || version < kOldestAveraging)
    return environment_error(fmt::format("NCCL in {} is too old, expected 2.10 or later", in_quotes(file)));
  return {};
}

std::string Nccl::version() const {
  int number = 0;
  get_version(&number);
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

Result<DeviceSum::Id> Nccl::new_id() const {
  IdBytes made;
  if (const int code = get_id(&made); code != 0)
    return environment_error(fmt::format("NCCL cannot start: {}", error_text(code)));
  DeviceSum::Id id;
  std::memcpy(id.data(), made.bytes, id.size());
  return id;
}

Result<std::unique_ptr<Nccl::Group>> Nccl::join(const DeviceSum::Id& id, int rank, int workers) const {
  IdBytes bytes;
  std::memcpy(bytes.bytes, id.data(), id.size());
  void* made = nullptr;
  if (const int code = init_rank(&made, workers, bytes, rank); code != 0)
    return environment_error(fmt::format("NCCL cannot connect the GPUs of {} workers: {}", workers, error_text(code)),
                             "NCCL_DEBUG=INFO in the environment says more; each worker needs a GPU of its own");
  return std::unique_ptr<Group>(new Group(*this, made));
}

// What fails here has lost a worker or a GPU: nothing of this step can be used.
void Nccl::check(int code, const char* what) const {
  PLIM_CHECK(code == 0, fmt::format("{}: {}", what, error_text(code)));
}

Nccl::Group::~Group() { nccl_.destroy(made_); }

void Nccl::Group::mean(std::span<const Numbers> all, void* stream) const {
  nccl_.check(nccl_.group_start(), "ncclGroupStart");
  for (const Numbers& numbers : all)
    nccl_.check(nccl_.all_reduce(numbers.data, numbers.data, numbers.count, kNcclFloat32, kNcclAverage, made_, stream),
                "ncclAllReduce");
  nccl_.check(nccl_.group_end(), "ncclGroupEnd");
}

}  // namespace plimsoll
