#include "run/sweep/sweep_run.h"

#include <filesystem>
#include <fstream>

#include "base/own_program.h"
#include "base/text.h"
#include "run/sweep/child_program.h"
#include "run/sweep/child_words.h"
#include "run/sweep/sweep_folder.h"
#include "run/train/interruption.h"
#include "run/train/run_directory.h"

namespace plimsoll {
namespace {

constexpr size_t kMostPoints = 10'000;
constexpr int kTrained = 0, kNotFinite = 1;  // exit codes of train

template <class T>
std::vector<std::optional<T>> listed_or_usual(const std::vector<T>& list) {
  if (list.empty()) return {std::nullopt};
  return {list.begin(), list.end()};
}

class SweepOfRuns {
 public:
  SweepOfRuns(const SweepRequest& request, const SweepEvents& events) : request_(request), events_(events) {
    outcome_ = {request.train.model.source.name, request.train.data.data, request.folder(), request.goal_loss, {}};
  }

  Result<SweepEnding> run();

 private:
  Status list_points();
  SweepPoint point_at(int64_t batch, std::optional<double> rate, std::optional<int64_t> seed) const;
  std::vector<std::string> words_of(const SweepPoint& point) const;
  Result<int> train(const SweepPoint& point) const;
  Status read_answer(SweepPoint& point) const;
  // Samples a step for each sample of a batch.
  int64_t parts() const { return request_.train.micro_batches.value_or(1) * request_.train.np.value_or(1); }
  std::string answer_file(const SweepPoint& point) const { return point.run_dir + ".json"; }

  const SweepRequest& request_;
  const SweepEvents& events_;
  SweepOutcome outcome_;
};

Status SweepOfRuns::list_points() {
  for (const int64_t batch : request_.batches)
    for (const auto& rate : listed_or_usual(request_.rates))
      for (const auto& seed : listed_or_usual(request_.seeds)) {
        if (outcome_.points.size() == kMostPoints)
          return user_error(fmt::format("the lists make more than {} runs", with_commas(kMostPoints)));
        outcome_.points.push_back(point_at(batch, rate, seed));
      }
  return {};
}

SweepPoint SweepOfRuns::point_at(int64_t batch, std::optional<double> rate, std::optional<int64_t> seed) const {
  SweepPoint point{.batch = batch * parts(), .rate = rate, .seed = seed};
  point.run_dir = fmt::format("{}/batch-{}{}{}", outcome_.folder, point.batch, rate ? "_lr-" + typed_rate(*rate) : "",
                              seed ? fmt::format("_seed-{}", *seed) : "");
  return point;
}

std::vector<std::string> SweepOfRuns::words_of(const SweepPoint& point) const {
  TrainRequest train = request_.train;
  train.batch.samples = point.batch / parts();
  train.lr = point.rate;
  train.seed = point.seed.value_or(train.seed);
  train.run_dir = point.run_dir;
  return std::filesystem::exists(point.run_dir + "/last.json") ? words_of_resuming(train) : words_of_training(train);
}

// 0 when its answer is there, now or from before; else the exit code that ends the sweep.
Result<int> SweepOfRuns::train(const SweepPoint& point) const {
  const std::string answer = answer_file(point), part = answer + ".part";
  if (std::filesystem::exists(answer)) return kTrained;
  std::error_code ignored;
  if (!std::filesystem::exists(point.run_dir + "/last.json")) std::filesystem::remove_all(point.run_dir, ignored);
  std::vector<std::string> words = words_of(point);
  PLIM_ASSIGN(const std::string program, own_program());
  words.insert(words.begin(), program);
  PLIM_ASSIGN(const int code, run_child_program(words, part, events_.quiet));
  const bool diverged = code == kNotFinite && std::filesystem::exists(point.run_dir + "/" + std::string(kLogFile));
  if (code != kTrained && !diverged) {
    std::filesystem::remove(part, ignored);
    return code;
  }
  std::filesystem::rename(part, answer, ignored);
  if (ignored) return environment_error("cannot be written: " + ignored.message()).in(printable(answer, 200));
  return kTrained;
}

std::optional<double> number_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Status SweepOfRuns::read_answer(SweepPoint& point) const {
  std::ifstream file(answer_file(point));
  const Json json = Json::parse(file, nullptr, false);
  const auto epochs = json.is_object() ? json.find("epochs") : json.end();
  if (epochs == json.end() || !epochs->is_array() || epochs->empty())
    return user_error("is not an answer of train", "remove it, and the point is run again")
        .in(printable(answer_file(point), 200));
  const Json& last = epochs->back();
  point.diverged = json.value("ended", "") == "not-finite";
  point.train_loss = number_in(last, "train_loss").value_or(0);
  point.train_accuracy = number_in(last, "train_accuracy").value_or(0);
  point.val_loss = number_in(last, "val_loss");
  point.val_accuracy = number_in(last, "val_accuracy");
  point.test_accuracy = number_in(json, "test_accuracy");
  for (const auto& epoch : *epochs) {
    point.images_per_second += number_in(epoch, "images_per_second").value_or(0) / double(epochs->size());
    point.steps += epoch.value("steps", int64_t{0});
  }
  if (!outcome_.goal) return {};
  PLIM_ASSIGN(const auto losses, logged_losses(point.run_dir + "/" + std::string(kLogFile)));
  point.steps_to_goal = steps_to_loss(losses, point.batch, *outcome_.goal);
  return {};
}

Result<SweepEnding> SweepOfRuns::run() {
  PLIM_TRY(list_points());
  PLIM_TRY(open_sweep_folder(request_));
  size_t begun = 0;
  for (auto& point : outcome_.points) {
    events_.say(fmt::format("Run {} of {}: {}", ++begun, outcome_.points.size(), point.run_dir));
    PLIM_ASSIGN(const int code, train(point));
    if (code != kTrained) {
      const SweepStop stop{point.run_dir, code};
      return SweepEnding{std::move(outcome_), stop};
    }
    PLIM_TRY(read_answer(point));
  }
  return SweepEnding{std::move(outcome_), std::nullopt};
}

}  // namespace

bool SweepStop::told() const {
  return exit_code == kExitInterrupted || exit_code == kExitTerminated || exit_code > 128;
}

Result<SweepEnding> ask_sweep(const SweepRequest& request, const SweepEvents& events) {
  PLIM_TRY(check(request));
  return SweepOfRuns(request, events).run();
}

}  // namespace plimsoll
