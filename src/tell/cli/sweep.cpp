// plimsoll sweep: what batch size and learning rate do to accuracy and speed. Each point is a run of train of its own.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/file_beside.h"
#include "base/own_program.h"
#include "base/text.h"
#include "base/write_file.h"
#include "run/sweep/child_program.h"
#include "run/train/interruption.h"
#include "run/train/run_directory.h"
#include "tell/cli/command.h"
#include "tell/cli/numbers.h"
#include "tell/cli/plot_flag.h"
#include "tell/cli/train_flags.h"
#include "tell/report/sweep_report.h"

namespace plimsoll {
namespace {

constexpr const char* kSweepFile = "sweep.json";
constexpr size_t kMostPoints = 10'000;

struct SweepFlags {
  TrainFlags train;  // batch, lr and seed: lists; run_dir: the sweep's folder
  std::string goal, plot;
};

std::vector<std::string> list_or_usual(const std::string& list) {
  return list.empty() ? std::vector<std::string>{""} : split(list, ',');
}

class SweepVerb {
 public:
  explicit SweepVerb(const SweepFlags& flags) : flags_(flags) {}

  Result<int> run();

 private:
  Status read_flags();
  Status open_folder();
  Result<SweepPoint> point_at(const std::string& batch, const std::string& rate, const std::string& seed) const;
  std::vector<std::string> words_of(const SweepPoint& point) const;
  Result<int> train(const SweepPoint& point) const;
  Status read_answer(SweepPoint& point) const;
  std::string answer_file(const SweepPoint& point) const { return point.run_dir + ".json"; }

  const SweepFlags& flags_;
  int64_t micro_batches_ = 1;
  SweepView view_;
};

// All mistakes are told before the first run.
Status SweepVerb::read_flags() {
  const TrainFlags& train = flags_.train;
  if (train.model.empty())
    return user_error("no MODEL is given", "for example sweep lenet5 --data mnist --batch 32,512");
  if (train.resume) return user_error("--resume is not needed: a sweep that is run again goes on where it stopped");
  view_ = {train.model, train.data.data, train.run_dir, std::nullopt, {}};
  if (view_.folder.empty()) view_.folder = "sweeps/" + train.model.substr(train.model.rfind('/') + 1);
  PLIM_ASSIGN(const StepOptions step, train.read_step());
  micro_batches_ = step.micro_batches;
  if (!flags_.goal.empty()) {
    PLIM_ASSIGN(view_.goal, parse_number("--goal-loss", flags_.goal, 0, Edge::above, 1e9));
  }
  if (!flags_.plot.empty()) {
    PLIM_TRY(check_plot_name(flags_.plot));
    PLIM_TRY(check_can_replace(flags_.plot));
  }
  const std::string batches = train.network.batch.empty() ? std::to_string(kDefaultTrainBatch) : train.network.batch;
  for (const auto& batch : split(batches, ','))
    for (const auto& rate : list_or_usual(train.lr))
      for (const auto& seed : list_or_usual(train.seed)) {
        if (view_.points.size() == kMostPoints)
          return user_error(fmt::format("the lists make more than {} runs", with_commas(kMostPoints)));
        PLIM_ASSIGN(SweepPoint point, point_at(batch, rate, seed));
        view_.points.push_back(std::move(point));
      }
  return {};
}

Result<SweepPoint> SweepVerb::point_at(const std::string& batch, const std::string& rate,
                                       const std::string& seed) const {
  SweepPoint point;
  PLIM_ASSIGN(const int64_t part, parse_integer("--batch", batch, 1, kLargestBatch));
  point.batch = part * micro_batches_;
  if (!rate.empty() || !flags_.train.lr.empty()) PLIM_TRY(parse_number("--lr", rate, 0, Edge::above, 1e6));
  if (!seed.empty() || !flags_.train.seed.empty()) PLIM_TRY(parse_integer("--seed", seed, 0, INT64_MAX));
  point.rate = rate;
  point.seed = seed;
  point.run_dir = fmt::format("{}/batch-{}{}{}", view_.folder, point.batch, rate.empty() ? "" : "_lr-" + rate,
                              seed.empty() ? "" : "_seed-" + seed);
  return point;
}

// What all points of a sweep have in common. Batches, rates and seeds may be added later.
Json common_flags(const TrainFlags& train) {
  Json typed = train.typed();
  for (const char* name : {"--batch", "--lr", "--seed", "--threads", "--loaders"}) typed.erase(name);
  return typed;
}

Status SweepVerb::open_folder() {
  std::error_code failed;
  std::filesystem::create_directories(view_.folder, failed);
  if (failed) return environment_error("cannot be made: " + failed.message()).in(printable(view_.folder, 200));
  const std::string path = view_.folder + "/" + kSweepFile;
  const Json common = common_flags(flags_.train);
  if (std::ifstream file(path); file) {
    const Json before = Json::parse(file, nullptr, false);
    if (before.is_discarded() || !before.is_object()) return user_error("is no sweep's file").in(printable(path, 200));
    for (const Json* side : {&before, &common})
      for (const auto& [name, value] : side->items())
        if (before.value(name, Json()) != common.value(name, Json()))
          return user_error(fmt::format("{} is not what the sweep was begun with", printable(name, 80)),
                            "give the same flags, or another --run-dir")
              .in(printable(view_.folder, 200));
    return {};
  }
  return write_whole_file(path, json_text(common));
}

std::vector<std::string> SweepVerb::words_of(const SweepPoint& point) const {
  const bool begun = std::filesystem::exists(fmt::format("{}/{}", point.run_dir, "last.json"));
  if (begun) return {"train", "--resume", "--run-dir", point.run_dir, "--json"};
  TrainFlags flags = flags_.train;
  flags.network.batch = std::to_string(point.batch / micro_batches_);
  flags.lr = point.rate;
  flags.seed = point.seed;
  std::vector<std::string> words{"train", flags.model, "--run-dir", point.run_dir, "--json"};
  const Json typed = flags.typed();
  for (const auto& [name, value] : typed.items()) {
    if (name == "MODEL") continue;
    if (value.is_boolean()) words.push_back(name);
    if (value.is_string()) words.insert(words.end(), {name, value.get<std::string>()});
    if (value.is_array())
      for (const auto& one : value) words.insert(words.end(), {name, one.get<std::string>()});
  }
  return words;
}

// 0 when its answer is there, now or from before; else the exit code that ends the sweep.
Result<int> SweepVerb::train(const SweepPoint& point) const {
  const std::string answer = answer_file(point), part = answer + ".part";
  if (std::filesystem::exists(answer)) return 0;
  std::error_code ignored;
  if (!std::filesystem::exists(point.run_dir + "/last.json")) std::filesystem::remove_all(point.run_dir, ignored);
  PLIM_ASSIGN(const std::string program, own_program());
  std::vector<std::string> words = words_of(point);
  words.insert(words.begin(), program);
  PLIM_ASSIGN(const int code, run_child_program(words, part, flags_.train.quiet));
  const bool diverged = code == kExitNo && std::filesystem::exists(point.run_dir + "/" + std::string(kLogFile));
  if (code != kExitDone && !diverged) {
    std::filesystem::remove(part, ignored);
    return code;
  }
  std::filesystem::rename(part, answer, ignored);
  if (ignored) return environment_error("cannot be written: " + ignored.message()).in(printable(answer, 200));
  return 0;
}

std::optional<double> number_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Status SweepVerb::read_answer(SweepPoint& point) const {
  std::ifstream file(answer_file(point));
  const Json json = Json::parse(file, nullptr, false);
  const auto epochs = json.is_object() ? json.find("epochs") : json.end();
  if (epochs == json.end() || !epochs->is_array() || epochs->empty())
    return user_error("is no answer of train", "remove it, and the point is run again")
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
  if (!view_.goal) return {};
  PLIM_ASSIGN(const auto losses, logged_losses(point.run_dir + "/" + std::string(kLogFile)));
  point.steps_to_goal = steps_to_loss(losses, point.batch, *view_.goal);
  return {};
}

Result<int> SweepVerb::run() {
  PLIM_TRY(read_flags());
  PLIM_TRY(open_folder());
  size_t done = 0;
  for (auto& point : view_.points) {
    if (!flags_.train.quiet) fmt::print(stderr, "Run {} of {}: {}\n", ++done, view_.points.size(), point.run_dir);
    PLIM_ASSIGN(const int code, train(point));
    if (code != 0) {
      const bool stopped = code == kExitInterrupted || code == kExitTerminated || code > 128;
      fmt::print(stderr, "plimsoll: {}: train ended with exit code {}{}\n", printable(point.run_dir, 200), code,
                 stopped ? "; the same command goes on from here" : "");
      return code;
    }
    PLIM_TRY(read_answer(point));
  }
  fmt::print("{}", flags_.train.json ? json_text(sweep_json(view_)) : sweep_text(view_));
  if (flags_.plot.empty()) return int(kExitDone);
  PLIM_TRY(write_whole_file(flags_.plot, plots_svg(sweep_plots(view_))));
  if (!flags_.train.quiet) fmt::print(stderr, "Drawn in {}.\n", printable(flags_.plot));
  return int(kExitDone);
}

}  // namespace

Action declare_sweep(CLI::App& app) {
  const auto flags = std::make_shared<SweepFlags>();
  app.description(
      "What batch size and learning rate do to accuracy and speed: trains at each of several batches, rates and seeds\n"
      "(--batch, --lr and --seed take lists) with all else the same, each in a run of its own. Run again, it goes on "
      "where\n"
      "it stopped; finished runs are kept, and the lists may grow.");
  app.footer(
      "Examples:\n"
      "  plimsoll sweep lenet5 --data mnist --epochs 3 --batch 32,256,2048 --lr 0.01,0.1 --plot sweep.svg\n"
      "  plimsoll sweep fmnist_cnn --data fashion-mnist --batch 64,512 --seed 0,1,2 --goal-loss 0.4 --json\n"
      "--goal-loss counts the steps until the training loss has fallen so far, and finds the critical batch by them.\n"
      "Exit codes: those of train; a run whose loss becomes no number is a point of the sweep, not its end.");
  flags->train.declare(app);
  app.get_option("--run-dir")->description("where the sweep is kept (default sweeps/MODEL)");
  app.add_option("--goal-loss", flags->goal, "count the steps until the training loss is at most this")
      ->type_name("LOSS");
  app.add_option("--plot", flags->plot, "draw accuracy, speed and steps against batch into this .svg file")
      ->type_name("FILE");
  return [flags] { return SweepVerb(*flags).run(); };
}

}  // namespace plimsoll
