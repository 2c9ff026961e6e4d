#include "run/exec/torch/torch_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <mutex>

#include "base/text.h"
#include "run/exec/torch/find_torch.h"
#include "run/exec/torch/gpu_driver.h"
#include "run/exec/torch/gpu_error.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/whole_library.h"

namespace plimsoll {
namespace {

std::unique_ptr<const TorchLibrary> open_library;  // set once, under the mutex of open()

std::string last_load_error() {
  const char* text = dlerror();
  return text ? printable(text, 300) : "no reason is given";
}

Error cannot_load(const std::string& file, const std::string& why) {
  return environment_error(fmt::format("{} could not be loaded: {}", in_quotes(file), why),
                           fmt::format("a complete PyTorch is needed: {}", kInstallTorch));
}

Error wrong_interface(const std::string& folder, const std::string& function) {
  return environment_error(
      fmt::format("the PyTorch in {} has no function {}: it is older than {}.{}, or of another interface",
                  in_quotes(folder), function, kOldestTorch.major, kOldestTorch.minor),
      kInstallTorch);
}

Result<void*> load(const std::string& file) {
  if (!is_whole_library(file)) return cannot_load(file, "its end is missing");
  // Local: our own oneDNN and Protobuf, and torch's, do not see each other.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return cannot_load(file, last_load_error());
  return library;
}

template <class F>
bool find(void* library, const std::string& name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name.c_str()));
  return function != nullptr;
}

}  // namespace

Status TorchLibrary::load_functions(void* cpu) {
  const auto needed = [&](const char* name, auto& function) -> Status {
    return find(cpu, name, function) ? Status() : Status(wrong_interface(folder_, name));
  };
  PLIM_TRY(needed("torch_call_dispatcher", api_.call));
  PLIM_TRY(needed("torch_from_blob", api_.from_blob));
  PLIM_TRY(needed("aoti_torch_empty_strided", api_.empty));
  PLIM_TRY(needed("aoti_torch_new_tensor_handle", api_.new_handle));
  PLIM_TRY(needed("aoti_torch_delete_tensor_object", api_.delete_tensor));
  PLIM_TRY(needed("aoti_torch_get_data_ptr", api_.data_ptr));
  PLIM_TRY(needed("aoti_torch_is_defined", api_.is_defined));
  PLIM_TRY(needed("aoti_torch_is_contiguous", api_.is_contiguous));
  PLIM_TRY(needed("aoti_torch_get_dtype", api_.dtype));
  PLIM_TRY(needed("aoti_torch_get_numel", api_.numel));
  PLIM_TRY(needed("aoti_torch_copy_", api_.copy));
  PLIM_TRY(needed("aoti_torch_zero_", api_.zero));
  PLIM_TRY(needed("torch_new_list_reserve_size", api_.new_list));
  PLIM_TRY(needed("torch_list_push_back", api_.push_back));
  PLIM_TRY(needed("torch_new_stable_ivalue", api_.new_slot));
  PLIM_TRY(needed("torch_new_string_handle", api_.new_string));
  PLIM_TRY(needed("torch_exception_get_what_without_backtrace", api_.what));
  PLIM_TRY(needed("aoti_torch_abi_version", api_.version));
  PLIM_TRY(needed("aoti_torch_grad_mode_set_enabled", api_.set_grad_mode));
  PLIM_TRY(needed("aoti_torch_dtype_float64", api_.f64));
  PLIM_TRY(needed("aoti_torch_dtype_float32", api_.f32));
  PLIM_TRY(needed("aoti_torch_dtype_bfloat16", api_.bf16));
  PLIM_TRY(needed("aoti_torch_dtype_float16", api_.f16));
  PLIM_TRY(needed("aoti_torch_dtype_int64", api_.i64));
  PLIM_TRY(needed("aoti_torch_dtype_int32", api_.i32));
  PLIM_TRY(needed("aoti_torch_dtype_int16", api_.i16));
  PLIM_TRY(needed("aoti_torch_dtype_int8", api_.i8));
  PLIM_TRY(needed("aoti_torch_dtype_uint8", api_.u8));
  PLIM_TRY(needed("aoti_torch_dtype_bool", api_.boolean));
  PLIM_TRY(needed("aoti_torch_device_type_cpu", api_.cpu));
  PLIM_TRY(needed("aoti_torch_device_type_cuda", api_.cuda));
  PLIM_TRY(needed("aoti_torch_layout_strided", api_.strided));
  find(cpu, "_ZN2at15set_num_threadsEi", api_.set_threads);
  find(cpu, "_ZN2at13globalContextEv", settings_.context);
  find(cpu, "_ZN2at7Context18setAllowTF32CuBLASEb", settings_.tf32_products);
  find(cpu, "_ZN2at7Context17setAllowTF32CuDNNEb", settings_.tf32_convolutions);
  find(cpu, "_ZN2at7Context21setDeterministicCuDNNEb", settings_.deterministic);
  find(cpu, "_ZN2at7Context17setBenchmarkCuDNNEb", settings_.benchmark);
  return {};
}

Status TorchLibrary::load_with_numbers(void* library, const std::string& prefix) {
  const auto needed = [&](const char* name, auto& function) -> Status {
    return find(library, prefix + name, function) ? Status() : Status(wrong_interface(folder_, prefix + name));
  };
  TorchApi::WithNumbers& with = api_.with_numbers;
  PLIM_TRY(needed("add_Tensor", with.add));
  PLIM_TRY(needed("add_Scalar", with.add_number));
  PLIM_TRY(needed("mul_Scalar", with.multiply));
  PLIM_TRY(needed("pow_Tensor_Scalar", with.power));
  PLIM_TRY(needed("fill__Scalar", with.fill));
  PLIM_TRY(needed("addmm_out", with.add_product));
  PLIM_TRY(needed("baddbmm_out", with.add_products));
  return {};
}

Status TorchLibrary::load(const std::string& folder, const RunDevice& device) {
  folder_ = folder;
  device_ = device;
  PLIM_TRY(check_release(folder));
  const bool on_gpu = device.kind == RunDevice::Kind::cuda;
  if (on_gpu) PLIM_TRY(gpu_facts(device.index));
  PLIM_ASSIGN(void* cpu, plimsoll::load(folder + "/libtorch_cpu.so"));
  PLIM_TRY(load_functions(cpu));
  if (on_gpu) return load_for_gpu();
  PLIM_TRY(load_with_numbers(cpu, "aoti_torch_cpu_"));
  use_own_allocator(cpu, device, version(), not_steered_);
  return {};
}

Status TorchLibrary::load_for_gpu() {
  const std::string file = folder_ + "/libtorch_cuda.so";
  if (!is_whole_library(file)) return cannot_load(file, "its end is missing");
  gpu_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!gpu_)
    return environment_error(
        fmt::format("the PyTorch in {} does not run on GPUs: {}", in_quotes(folder_), last_load_error()),
        "install a torch that was built for CUDA");
  PLIM_TRY(load_with_numbers(gpu_, "aoti_torch_cuda_"));
  PLIM_TRY(check_driver());
  PLIM_TRY(use_gpu());
  use_own_allocator(gpu_, device_, version(), not_steered_);
  return {};
}

// A driver runs what was built for its own major release of CUDA, and for those before.
Status TorchLibrary::check_driver() const {
  int (*of_driver)(int*) = nullptr;
  int (*of_runtime)(int*) = nullptr;
  int can = 0, needed = 0;
  if (!find(gpu_, "cudaDriverGetVersion", of_driver) || !find(gpu_, "cudaRuntimeGetVersion", of_runtime)) return {};
  if (of_driver(&can) != 0 || of_runtime(&needed) != 0 || can / 1000 >= needed / 1000) return {};
  return environment_error(
      fmt::format("the NVIDIA driver runs CUDA {}.{}, and the PyTorch in {} needs {}.{}", can / 1000, can % 1000 / 10,
                  in_quotes(folder_), needed / 1000, needed % 1000 / 10),
      fmt::format("update the driver, or install a torch that was built for CUDA {}", can / 1000));
}

Status TorchLibrary::use_gpu() const {
  thread_local bool used = false;
  int (*set_device)(int) = nullptr;
  if (used || !gpu_ || !find(gpu_, "cudaSetDevice", set_device)) return {};
  if (const int code = set_device(device_.index); code != 0)
    return environment_error(fmt::format("{} cannot be used: {}", device_.name(), gpu_error_text(gpu_, code)),
                             "nvidia-smi shows who uses it and in which mode it is");
  used = true;
  return {};
}

void* TorchLibrary::gpu_function(const char* name) const { return gpu_ ? dlsym(gpu_, name) : nullptr; }

void TorchLibrary::use_format(const ComputeFormat& format) const {
  if (device_.kind != RunDevice::Kind::cuda) return;
  const bool tf32 = format.numbers == ComputeFormat::Numbers::tf32;
  // torch's convolutions are in tf32 unless they are told. Where there is no function that tells them, the libraries
  // below read this when they begin.
  if (!tf32 && !(settings_.context && settings_.tf32_convolutions)) setenv("NVIDIA_TF32_OVERRIDE", "0", 0);
  if (!settings_.context) return;
  void* context = settings_.context();
  if (settings_.tf32_products) settings_.tf32_products(context, tf32);
  if (settings_.tf32_convolutions) settings_.tf32_convolutions(context, tf32);
  if (settings_.deterministic) settings_.deterministic(context, true);
  if (settings_.benchmark) settings_.benchmark(context, false);
}

std::string TorchLibrary::version() const {
  const uint64_t packed = api_.version();
  return fmt::format("{}.{}.{}", packed >> 56 & 0xff, packed >> 48 & 0xff, packed >> 40 & 0xff);
}

Result<const TorchLibrary*> TorchLibrary::open(const RunDevice& device) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  PLIM_CHECK(device.by_torch(), "torch is asked for a device of our own");
  if (open_library) {
    if (open_library->device() == device) return open_library.get();
    return user_error(
        fmt::format("{} is asked for, but {} is in use already", device.name(), open_library->device().name()),
        "one call runs on one device");
  }
  PLIM_ASSIGN(const std::string folder, find_torch());
  std::unique_ptr<TorchLibrary> library(new TorchLibrary());
  PLIM_TRY(library->load(folder, device));
  open_library = std::move(library);
  return open_library.get();
}

bool torch_in_use() {
  if (open_library || driver_in_use()) return true;
  const auto folder = find_torch();  // a Python that called us may have opened it
  return folder.ok() && dlopen((*folder + "/libtorch_cpu.so").c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

const TorchLibrary& opened_torch() {
  PLIM_CHECK(open_library, "torch is not open");
  return *open_library;
}

}  // namespace plimsoll
