// fit, asked and answered: the largest batch under the load line, or whether a given one stays under it.
//
// Two forms: of a network, and by arithmetic, for those who have only three numbers.
#pragma once

#include "plan/ask/loading_request.h"
#include "plan/ask/machine_request.h"
#include "plan/ask/model_request.h"
#include "plan/ask/serving_request.h"
#include "plan/ask/step_request.h"
#include "plan/ask/training_request.h"
#include "plan/verdict/arithmetic_fit.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/engine_here.h"
#include "plan/verdict/fit.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/past_line.h"
#include "plan/verdict/residence.h"

namespace plimsoll {

struct FitRequest {
  ModelRequest model;
  std::optional<int64_t> batch;
  StepRequest step;
  TrainingRequest training;
  ServingRequest serving;
  std::optional<std::string> device;
  std::optional<Bytes> memory;
  std::optional<Framework> framework;
  FrameworkRun run;
  double load_line = kLoadLine;
  std::optional<Disk> disk;
  std::optional<int64_t> threads;
  ConvSetting conv = ConvSetting::automatic;
  std::optional<double> model_mb, sample_mb, activation_mb;
  bool residence = false, brief = false, print_passes = false;
  std::optional<Bytes> sample_bytes;

  void describe(Fields& fields);
  bool by_arithmetic() const { return model_mb || sample_mb || activation_mb; }
};

struct FitView {
  std::string model, device;  // device: empty when a size of memory was given
  PastLine past;
};

struct FitOutcome {
  FitQuestion question;  // borrows the network
  FitAnswer answer;
  FitView view;
  std::optional<Residence> where;
  std::optional<Bytes> kept = {};  // by autograd for the backward pass, where a framework trains; not when brief

  bool fits() const { return answer.asked ? answer.fits : answer.largest > 0; }
};

inline bool is_yes(const FitOutcome& outcome) { return outcome.fits(); }

struct ArithmeticOutcome {
  ArithmeticFit fit;
  PastLine past;
  bool asked = false;  // for a certain batch
  std::string device;
};
inline bool is_yes(const ArithmeticOutcome& outcome) { return outcome.fit.fits; }

// What is to be filled: a device's memory, or a size that was given.
struct FitMemory {
  std::optional<Candidate> device;
  Bytes bytes;
  std::shared_ptr<const EngineHere> engine;  // on that device, where it is one that steps are computed on here
};
// `engine`: nullptr where there are no kernels.
Result<FitMemory> memory_of(const FitRequest& request, const EngineHere* engine = nullptr);

// What is wrong with the request itself, before a large file is read.
Status check(const FitRequest& request);

// The Program of the step after each pass that changed it, with the pass's reason and time: what --print-passes prints.
Result<std::string> passes_text(const FitRequest& request, const Network& network);

// `engine`: nullptr where there are no kernels; this machine is then answered for by formulas.
Result<FitOutcome> ask_fit(const FitRequest& request, const Network& network, const EngineHere* engine);

Result<ArithmeticOutcome> ask_fit_by_arithmetic(const FitRequest& request);

}  // namespace plimsoll
