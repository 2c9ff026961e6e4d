// autocast: a forward pass as PyTorch runs it in mixed precision, with the casts that it makes. Products and
// convolutions read 16-bit copies of whatever is wider; layer norms, group norms and softmax compute in 32 bits; the
// rest computes in the widest format of its inputs. So a residual stream that a 32-bit parameter was added to stays in
// 32 bits. What the backward pass keeps, and its casts back, follow from this by the operations' own gradient rules.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// `forward`: bound in 32 bits. `narrow`: f16 or bf16.
void autocast(Program& forward, DType narrow);

}  // namespace plimsoll
