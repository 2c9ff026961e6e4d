// The backend on oneDNN: the fast one, on CPUs.
#pragma once

#include "run/exec/backend.h"

namespace plimsoll {

const Backend& onednn_backend();

}  // namespace plimsoll
