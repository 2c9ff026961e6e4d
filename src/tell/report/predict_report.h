// What predict says: the likeliest classes of each picture.
#pragma once

#include "run/train/predict_request.h"

namespace plimsoll {

std::string predict_text(const PredictOutcome& outcome);

}  // namespace plimsoll
