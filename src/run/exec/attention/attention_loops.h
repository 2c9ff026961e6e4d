// The loops of one instruction set.
#pragma once

#include "run/exec/attention/attention.h"

namespace plimsoll {

const AttentionLoops& attention_avx2();
const AttentionLoops& attention_avx512();

}  // namespace plimsoll
