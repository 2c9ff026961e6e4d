#include "plan/weight/naive_space.h"

namespace plimsoll {

Bytes naive_space(const LayerWeight& layer, Mode mode) {
  const Bytes forward = layer.param_bytes + layer.input_bytes + layer.output_bytes;
  if (mode == Mode::inference) return forward;
  return layer.op == "conv" ? forward + layer.output_bytes : forward * 2;
}

}  // namespace plimsoll
