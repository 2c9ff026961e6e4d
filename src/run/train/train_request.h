// train, asked: all that a training is begun with. A run keeps it in its configuration, so that a resumed run needs
// none of it, and eval, predict and export find the same network again.
#pragma once

#include "plan/ask/machine_request.h"
#include "plan/ask/model_request.h"
#include "plan/ask/scale_request.h"
#include "plan/verdict/load_line.h"
#include "run/data/training_data.h"
#include "run/exec/backend.h"
#include "run/train/trainer.h"

namespace plimsoll {

inline constexpr int64_t kDefaultTrainBatch = 32;

// Samples a step, or as many as stay under the line.
struct TrainBatch {
  std::optional<int64_t> samples = kDefaultTrainBatch;  // nullopt: auto
  bool automatic() const { return !samples; }
};

// Over which samples batch norms take statistics: local, sync, ghost or ghost:N.
struct BatchNormRequest {
  BatchNormOver over = BatchNormOver::batch;
  int64_t ghost = BatchNormGroups{}.ghost;
};

// How often a checkpoint is written inside an epoch.
struct SaveEvery {
  Seconds time{600};
  std::optional<int64_t> steps;
};

enum class WarmupFrom { zero, workers };

template <>
struct Choices<WarmupFrom> {
  static constexpr std::pair<WarmupFrom, std::string_view> kAll[] = {{WarmupFrom::zero, "zero"},
                                                                     {WarmupFrom::workers, "workers"}};
};
template <>
struct Choices<Monitor> {
  static constexpr std::pair<Monitor, std::string_view> kAll[] = {{Monitor::accuracy, "accuracy"},
                                                                  {Monitor::loss, "loss"}};
};
template <>
struct Choices<OnNan> {
  static constexpr std::pair<OnNan, std::string_view> kAll[] = {
      {OnNan::stop, "stop"}, {OnNan::skip, "skip"}, {OnNan::reload, "reload"}};
};

struct TrainRequest {
  ModelRequest model;
  TrainBatch batch;
  std::optional<int64_t> micro_batches;
  TrainingData data;
  int64_t epochs = 1;
  std::optional<int64_t> max_steps;
  std::optional<std::string> optimizer;
  std::optional<Loss> loss;
  std::optional<double> lr, weight_decay, momentum, label_smoothing;
  std::string schedule = "constant";
  std::optional<std::string> warmup;
  std::optional<WarmupFrom> warmup_from;
  RateRule scale_lr = RateRule::none;
  BatchNormRequest batchnorm;
  int64_t seed = 0;
  std::optional<int64_t> early_stop, renew_norms;
  std::optional<Monitor> monitor;
  OnNan on_nan = OnNan::stop;
  SaveEvery save_every;
  bool save_best = false, same_batches = false, resume = false;
  std::optional<std::string> run_dir;
  std::optional<int64_t> threads;
  ConvSetting conv = ConvSetting::automatic;
  RunDevice device;
  ComputeFormat compute;
  std::optional<std::string> backend;
  std::optional<Bytes> memory;
  double load_line = kLoadLine;
  std::optional<int64_t> np;
  std::string hosts;
  std::optional<std::string> wire;
  int64_t max_restarts = 0;
  double silence = 60;

  void describe(Fields& fields);

  Result<const Backend*> chosen_backend() const;
  Result<StepOptions> step_options() const;
  BatchNormGroups batch_norm(int64_t workers) const;
  Result<Schedule> made_schedule(int64_t steps_per_epoch, int64_t workers) const;
  DType wire_format() const;
  // The numbers that the trainer takes as they are; the rest of the setup is filled by others.
  void fill(TrainerSetup& setup) const;
};

template <>
struct Form<TrainBatch> {
  static Result<TrainBatch> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<TrainBatch> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const TrainBatch& value) { return value.samples ? Json(*value.samples) : Json("auto"); }
  static Json schema(const Row& row);
};

template <>
struct Form<BatchNormRequest> : TextForm<BatchNormRequest> {
  static Result<BatchNormRequest> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const BatchNormRequest& value);
};

template <>
struct Form<SaveEvery> : TextForm<SaveEvery> {
  static Result<SaveEvery> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const SaveEvery& value);
};

}  // namespace plimsoll
