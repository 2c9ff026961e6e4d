// EngineOfRun: what computes a trained network, where it is to be something other than what trained it. Shared by the
// verbs that open a run.
#pragma once

#include "run/train/train_request.h"

namespace plimsoll {

struct EngineOfRun {
  std::optional<int64_t> threads;
  std::optional<ConvSetting> conv;
  std::optional<std::string> backend;
  std::optional<RunDevice> device;
  std::optional<ComputeFormat> compute;

  void describe(Fields& fields);          // without the backend
  void describe_backend(Fields& fields);  // with the device and its format

  // What is given takes the place of the run's own.
  void replace(TrainRequest& run) const;
};

// A trained network: a run's folder or one of its files.
Row checkpoint_row();

}  // namespace plimsoll
