#include "run/exec/torch/torch_threads.h"

#include <atomic>

#include "run/exec/torch/torch_library.h"

namespace plimsoll {

// Only when it changes: libtorch then forgets the convolutions that it has prepared, and would prepare them anew in
// every step.
void use_torch_threads(int threads) {
  static std::atomic<int> of_all = 0;
  thread_local int of_this = 0;
  const TorchApi& api = opened_torch().api();
  if (of_this == 0) api.set_grad_mode(false);
  use_torch_gpu();
  if (of_this == threads && of_all.load() == threads) return;
  if (api.set_threads) api.set_threads(threads);
  of_this = threads;
  of_all.store(threads);
}

void use_torch_gpu() {
  if (const Status used = opened_torch().use_gpu(); !used.ok()) PLIM_CHECK(false, used.error().line());
}

}  // namespace plimsoll
