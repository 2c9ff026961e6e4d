// The chapter of docs/accuracy.md on PyTorch on GPUs since Volta.
#pragma once

#include <string>

namespace plimsoll {

// From what tools/fit_gpu_time.py has written to tests/accuracy.
std::string modern_chapter();

}  // namespace plimsoll
