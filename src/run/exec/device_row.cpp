#include "run/exec/device_row.h"

namespace plimsoll {

Row device_row() {
  return {.name = "device",
          .subject = Subject::engine,
          .help =
              "where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu "
              "(the same path on the processor)",
          .value = "WHERE"};
}

Row compute_row() {
  return {.name = "compute",
          .subject = Subject::engine,
          .help =
              "format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and "
              "channels-last, which may follow another after a comma",
          .value = "FORMAT"};
}

}  // namespace plimsoll
