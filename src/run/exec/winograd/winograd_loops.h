// The loops of one instruction set.
#pragma once

#include "run/exec/winograd/winograd.h"

namespace plimsoll {

using WinogradLoops = TiledLoops<WinogradConv>;

const WinogradLoops& winograd_avx2();
const WinogradLoops& winograd_avx512();

}  // namespace plimsoll
