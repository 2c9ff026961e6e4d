#include "run/train/engine_of_run.h"

#include "run/exec/device_row.h"

namespace plimsoll {
namespace {

constexpr const char* kAsInTraining = "as in training";

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const auto* backend : all_backends()) names.emplace_back(backend->name());
  return names;
}

Row as_in_training(Row row) {
  row.fallback = kAsInTraining;
  return row;
}

}  // namespace

Row checkpoint_row() {
  return {.name = "checkpoint",
          .subject = Subject::network,
          .help = "a run's folder, or a checkpoint's .json or .safetensors file",
          .positional = true,
          .required = true};
}

void EngineOfRun::describe(Fields& fields) {
  fields.add(threads, as_in_training(threads_row()));
  fields.add(conv, as_in_training(conv_row()));
}

void EngineOfRun::describe_backend(Fields& fields) {
  fields.add(backend, {.name = "backend",
                       .subject = Subject::engine,
                       .help = listed(backend_names()),
                       .value = "NAME",
                       .fallback = kAsInTraining});
  fields.add(device, as_in_training(device_row()));
  fields.add(compute, as_in_training(compute_row()));
}

void EngineOfRun::replace(TrainRequest& run) const {
  if (threads) run.threads = threads;
  if (conv) run.conv = *conv;
  if (backend) run.backend = backend;
  if (device) run.device = *device;
  if (device && device->by_torch() && !backend) run.backend.reset();  // the run's own was for the processor
  if (backend && !device) run.device = {};
  if (compute) run.compute = *compute;
  else if (!run.device.by_torch()) run.compute = {};  // the run's own was for another device
}

}  // namespace plimsoll
