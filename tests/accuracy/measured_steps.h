// The published step times of tests/data/facts that predictions are held to: rows of cuDNN and PyTorch, with repeated
// measurements at their median, and the few of CPUs and of TensorFlow.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "plan/devices/device.h"
#include "plan/time/execution.h"
#include "plan/time/time_parameters.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

struct MeasuredStep {
  std::string source;   // "jcjohnson"
  std::string network;  // of the zoo
  std::string device;   // of the catalog
  Execution execution;
  int64_t batch = 1, devices = 1;  // batch: of each device
  bool trains = true;
  bool target = true;      // of the figure that is asked for: GPUs with cuDNN
  double forward = 0;      // seconds; 0 when not stated
  double total = 0;        // without an update
  bool with_copy = false;  // samples are copied to the device within the measured time
};

std::vector<MeasuredStep> measured_steps();

double median(std::vector<double> numbers);

struct PredictedStep {
  double forward = 0, total = 0;  // seconds
};

// Keeps the networks and devices that it has met.
class StepPredictor {
 public:
  PredictedStep operator()(const MeasuredStep& step, const TimeParameters& parameters = {});
  const TimedProgram& program(const MeasuredStep& step);
  const Device& device(const std::string& name);

 private:
  std::map<std::tuple<std::string, int64_t, bool, DType>, TimedProgram> programs_;
  std::map<std::string, Device> devices_;
};

}  // namespace plimsoll
