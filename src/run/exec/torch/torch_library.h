// TorchLibrary: the user's libtorch, found and opened when a run asks for it and never before. There is one a process;
// once open it stays. Nothing of it is linked, and its symbols stay its own.
#pragma once

#include <string>

#include "base/result.h"
#include "run/exec/compute_format.h"
#include "run/exec/run_device.h"
#include "run/exec/torch/torch_api.h"

namespace plimsoll {

class TorchLibrary {
 public:
  // The library, able to drive `device`. An Error is one line that says what to do.
  static Result<const TorchLibrary*> open(const RunDevice& device);

  const TorchApi& api() const { return api_; }
  const RunDevice& device() const { return device_; }
  const std::string& folder() const { return folder_; }
  std::string version() const;  // "2.15.0"
  // Why what kernels allocate is not part of the plan; empty: it is.
  const std::string& not_steered() const { return not_steered_; }
  // Of the CUDA runtime that libtorch has loaded, and of libtorch's library for GPUs; nullptr: there is none.
  void* gpu_function(const char* name) const;
  // Of this thread, from now on: calls of the CUDA runtime are about the GPU that torch was opened for.
  Status use_gpu() const;
  // On a GPU, from now on: tf32 or f32 proper, by deterministic methods.
  void use_format(const ComputeFormat& format) const;

 private:
  TorchLibrary() = default;
  Status load(const std::string& folder, const RunDevice& device);
  Status load_functions(void* cpu);
  Status load_with_numbers(void* library, const std::string& prefix);
  Status load_for_gpu();
  Status check_driver() const;

  // Settings of libtorch's own, no part of the stable interface: nullptr where they are missing.
  struct Settings {
    void* (*context)() = nullptr;
    void (*tf32_products)(void* context, bool) = nullptr;
    void (*tf32_convolutions)(void* context, bool) = nullptr;
    void (*deterministic)(void* context, bool) = nullptr;
    void (*benchmark)(void* context, bool) = nullptr;
  };

  TorchApi api_;
  Settings settings_;
  RunDevice device_;
  std::string folder_, not_steered_;
  void* gpu_ = nullptr;  // the handle of libtorch's library for GPUs
};

// The library that is open. Only after open() has succeeded.
const TorchLibrary& opened_torch();
// Whether this process has opened the library that is found, or asked the driver about a GPU: a copy of the process
// could use neither.
bool torch_in_use();

}  // namespace plimsoll
