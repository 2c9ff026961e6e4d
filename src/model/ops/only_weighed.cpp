#include "model/ops/only_weighed.h"

namespace plimsoll {

void decline_only_weighed(Backward& backward) {
  backward.fail("it comes from an optimizer for inference or from a fitted model, and cannot be trained");
}

}  // namespace plimsoll
