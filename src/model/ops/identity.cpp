// identity: its input, unchanged.
#include "model/ops/copy.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& identity_op() {
  static const Op op{.name = "identity",
                     .before_activation = true,
                     .onnx = {"Identity"},
                     .infer = same_type,
                     .reference = copy_reference,
                     .gradient = view_gradient,
                     .examples = unary_examples,
                     .storage = Storage::view};
  return op;
}

}  // namespace plimsoll
