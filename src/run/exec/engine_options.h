// What a step is lowered with: fixed before memory is planned, since kernels and their workspaces depend on it.
#pragma once

#include "run/exec/conv_way.h"

namespace plimsoll {

struct EngineOptions {
  EngineOptions(int threads, ConvWay conv = ConvWay::automatic) : threads(threads), conv(conv) {}

  int threads;
  ConvWay conv;
};

}  // namespace plimsoll
