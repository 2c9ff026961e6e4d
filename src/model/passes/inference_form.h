// Puts every operation that an inference must not leave to chance into that form: dropout passes its input on, whatever
// mode a file asks for.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

void inference_form(Program& program);

}  // namespace plimsoll
