// plimsoll scale for whoever asks: its flags, and its answer before it is written as text or JSON.
#pragma once

#include "plan/verdict/scale_forecast.h"
#include "tell/cli/loading_flags.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/step_flags.h"
#include "tell/cli/wiring_flags.h"
#include "tell/report/scale_report.h"

namespace plimsoll {

struct ScaleFlags {
  std::string model, device;
  ModelFlags network;
  StepFlags step;
  LoadingFlags loading;
  WiringFlags wiring;
  std::string workers = "1,2,4,8", global_batch, threads, framework, load_line, price;
  std::string samples, epochs, reference_batch, critical_batch, noise_scale;
  std::string deadline, budget, by = "knee", rate, rule, jitter, plot;
  bool shared_disk = false, links = false, accuracy = false, json = false, csv = false, markdown = false, quiet = false;

  void declare(CLI::App& app);
};

struct ScaleOutcome {
  std::unique_ptr<Scaling> scaling;  // borrows the network
  ScaleForecast forecast;
  ScaleView view;
};

Result<ScaleOutcome> scale_outcome(const ScaleFlags& flags, const Network& network);

}  // namespace plimsoll
