// scale, asked and answered: how far training scales, and how many workers are worth it.
#pragma once

#include "plan/ask/place_request.h"
#include "plan/ask/wiring_request.h"
#include "plan/verdict/scale_forecast.h"

namespace plimsoll {

template <>
struct Choices<ScaleBy> {
  static constexpr std::pair<ScaleBy, std::string_view> kAll[] = {
      {ScaleBy::knee, "knee"}, {ScaleBy::time, "time"}, {ScaleBy::money, "money"}};
};

template <>
struct Choices<RateRule> {
  static constexpr std::pair<RateRule, std::string_view> kAll[] = {
      {RateRule::linear, "linear"}, {RateRule::square_root, "sqrt"}, {RateRule::none, "none"}};
};

// "1,2,4,8", "1..1024" (each twice the last), or both; in JSON also a list of numbers. Each once, in order.
struct WorkerCounts {
  std::vector<int64_t> numbers{1, 2, 4, 8};
};

// A number, or the two ends between which it lies: "800-1200".
struct CriticalRange {
  double low = 0, high = 0;
};

struct ScaleRequest {
  ModelRequest model;
  std::optional<std::string> device;
  std::optional<int64_t> batch, global_batch, reference_batch, threads;
  StepRequest step;
  TrainingRequest training;
  std::optional<AttentionKernel> attention;
  bool search = false;
  JobRequest work;
  LoadingRequest loading;
  WiringRequest wiring;
  WorkerCounts workers;
  std::optional<Framework> framework;
  double load_line = kLoadLine;
  std::optional<CriticalRange> critical_batch;
  std::optional<std::string> noise_scale;  // a number or a range; the folder of a run where runs can be read
  std::optional<Seconds> deadline;
  std::optional<double> budget, lr, jitter;
  ScaleBy by = ScaleBy::knee;
  std::optional<RateRule> scale_lr;
  bool shared_disk = false, links = false, accuracy = false;

  void describe(Fields& fields);
};

struct ScaleView {
  std::string model;
  std::vector<std::string> notes;
  Uncounted uncounted;  // by which times and memory are lower bounds
};

struct ScaleOutcome {
  std::unique_ptr<Scaling> scaling;  // borrows the network
  ScaleForecast forecast;
  ScaleView view;

  int64_t most_workers() const;
};
inline bool is_yes(const ScaleOutcome& outcome) { return outcome.forecast.aim_met; }

// What is wrong with the request itself, before a large file is read.
Status check(const ScaleRequest& request);

Result<ScaleOutcome> ask_scale(const ScaleRequest& request, const Network& network);

template <>
struct Form<WorkerCounts> {
  static Result<WorkerCounts> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<WorkerCounts> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const WorkerCounts& value) { return value.numbers; }
  static Json schema(const Row& row);
};

template <>
struct Form<CriticalRange> {
  static Result<CriticalRange> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<CriticalRange> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const CriticalRange& value);
  static Json schema(const Row& row);
};

}  // namespace plimsoll
