// Parameters that are not trained become buffers: stored and read as before. Done before a step is differentiated, so
// that gradients, what is kept for them and the optimizer's state follow.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// `patterns`: whole names, or patterns as matches() takes them, with commas between. An Error where one of them means
// no parameter, and where nothing is left to train.
Status freeze_parameters(Program& program, const std::string& patterns);

}  // namespace plimsoll
