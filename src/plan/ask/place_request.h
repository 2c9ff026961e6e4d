// place, asked and answered: which device to take for a job, how long it runs and what it costs.
#pragma once

#include "plan/ask/loading_request.h"
#include "plan/ask/machine_request.h"
#include "plan/ask/model_request.h"
#include "plan/ask/serving_request.h"
#include "plan/ask/step_request.h"
#include "plan/ask/training_request.h"
#include "plan/verdict/electricity.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/verdict.h"

namespace plimsoll {

template <>
struct Choices<RankBy> {
  static constexpr std::pair<RankBy, std::string_view> kAll[] = {{RankBy::time, "time"}, {RankBy::money, "money"}};
};

inline constexpr int64_t kDefaultSamples = 50'000;  // of an epoch
inline constexpr double kMostSetSamples = 0x1p50;

// What is to be done: shared with scale.
struct JobRequest {
  std::optional<int64_t> samples, epochs;
  std::optional<double> tokens;  // instead of samples × epochs
  std::optional<double> price;

  void describe(Fields& fields, const std::string& samples_help, const std::string& epochs_help,
                const std::string& price_help);
};

struct PlaceRequest {
  ModelRequest model;
  std::optional<int64_t> batch;
  StepRequest step;
  TrainingRequest training;
  ServingRequest serving;
  JobRequest work;
  std::vector<std::string> devices, kinds;
  std::optional<Framework> framework;
  FrameworkRun run;
  std::optional<std::string> host_cpu;
  double load_line = kLoadLine;
  double electricity = kUsualElectricity.value;
  RankBy by = RankBy::time;
  int64_t top = 20;
  LoadingRequest loading;
  bool accuracy = false;

  void describe(Fields& fields);
};

struct PlaceView {
  std::string model;
  size_t top = 20;                      // rows; all in JSON
  std::vector<std::string> not_placed;  // devices that could not be asked, each with its reason
  std::vector<std::string> notes;
  DollarsPerKilowattHour electricity = kUsualElectricity;
  Uncounted uncounted;  // by which times and memory are lower bounds
};

struct PlaceOutcome {
  Job job;  // borrows the network
  std::vector<JobPlacement> ranked;
  Verdict verdict;
  PlaceView view;
};
inline bool is_yes(const PlaceOutcome& outcome) { return !outcome.verdict.choice.empty(); }

// What is wrong with the request itself, before a large file is read.
Status check(const PlaceRequest& request);

// The devices that were asked about, lists taken apart.
std::vector<std::string> named_devices(const PlaceRequest& request);

// The devices that are asked about: those named, else the whole catalog. Notes of theirs are added.
Result<std::vector<Candidate>> candidates_of(const PlaceRequest& request, std::vector<std::string>& notes);

Result<PlaceOutcome> ask_place(const PlaceRequest& request, const Network& network);

}  // namespace plimsoll
