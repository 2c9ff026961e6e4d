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

}  // namespace plimsoll
