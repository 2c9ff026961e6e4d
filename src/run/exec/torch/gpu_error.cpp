#include "run/exec/torch/gpu_error.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

std::string gpu_error_text(void* library, int code) {
  auto* text_of = reinterpret_cast<const char* (*)(int)>(dlsym(library, "cudaGetErrorString"));
  const char* text = text_of ? text_of(code) : nullptr;
  return text ? printable(text, 200) : fmt::format("error {} of the CUDA runtime", code);
}

void forget_gpu_error(void* library) {
  if (auto* last = reinterpret_cast<int (*)()>(dlsym(library, "cudaGetLastError"))) last();
}

}  // namespace plimsoll
