#include "plan/memory/framework_accuracy.h"

#include "plan/memory/framework_fitted.h"

namespace plimsoll {

std::optional<ProfileAccuracy> accuracy_of(Framework framework) {
  if (framework != Framework::pytorch) return std::nullopt;
  return ProfileAccuracy{kFittedRows,    kFittedMedianError, kFittedLargestError,
                         kFittedOutside, kFittedSource,      "convolutional networks in f32 training"};
}

}  // namespace plimsoll
