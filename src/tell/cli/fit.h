// plimsoll fit for whoever asks: its flags, and its answer before it is written as text or JSON.
#pragma once

#include "plan/verdict/fit.h"
#include "plan/verdict/residence.h"
#include "tell/cli/engine_flags.h"
#include "tell/cli/fit_arithmetic.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/step_flags.h"
#include "tell/report/fit_report.h"

namespace plimsoll {

struct FitFlags {
  std::string model;
  ModelFlags network;
  StepFlags step;
  ArithmeticFlags arithmetic;
  std::string device, memory, framework, load_line, disk, sample_bytes;
  EngineFlags engine;
  bool residence = false, brief = false, json = false, quiet = false;

  void declare(CLI::App& app);
};

struct FitOutcome {
  FitQuestion question;  // borrows the network
  FitAnswer answer;
  FitView view;
  std::optional<Residence> where;

  bool fits() const { return answer.asked ? answer.fits : answer.largest > 0; }
  Json json() const;
};

Result<FitOutcome> fit_outcome(const FitFlags& flags, const Network& network);

}  // namespace plimsoll
