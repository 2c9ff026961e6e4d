// StepLog: what a run writes down as it goes: log.jsonl and TensorBoard's events. A disk that is full or gone does not
// stop a run: it is said once, and training goes on.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "run/measure/run_log.h"
#include "run/measure/tensorboard_events.h"
#include "run/measure/utilisation.h"
#include "run/train/gradient_noise.h"
#include "run/train/run_directory.h"
#include "run/train/training_state.h"
#include "run/train/wire_rounding.h"

namespace plimsoll {

struct LoggedStep {
  int64_t step = 0, epoch = 0;
  double loss = 0, accuracy = 0;  // of this batch
  double learning_rate = 0, images_per_second = 0;
  std::optional<NoiseScale> noise = {};
  WireRounding rounding = {};
};

class StepLog {
 public:
  // `say` is told of troubles, each kind once. Without a directory nothing is written: rank 0 has it.
  StepLog(const RunDirectory* directory, std::function<void(const std::string&)> say);

  void event(const std::string& name, nlohmann::ordered_json fields = nlohmann::ordered_json::object());
  void step(const LoggedStep& step);
  void epoch(const EpochReport& report, int64_t step);
  void end(int64_t step, std::string_view how, const WireRounding& rounding);
  void utilisation(const std::vector<UtilisationSample>& samples, int64_t step);

 private:
  void scalars(int64_t step, const std::vector<Scalar>& scalars);
  void trouble(const Status& status, bool& said);
  double wall() const;

  std::function<void(const std::string&)> say_;
  std::optional<RunLog> log_;
  std::optional<TensorboardEvents> events_;
  bool log_trouble_ = false, events_trouble_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace plimsoll
