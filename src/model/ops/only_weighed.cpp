#include "model/ops/only_weighed.h"

namespace plimsoll {

void decline_only_weighed(Backward& backward) {
  backward.fail("it was written for inference, by an optimizer or after another program's fit, and is not trained");
}

}  // namespace plimsoll
