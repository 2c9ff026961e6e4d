// The trainer: epochs of steps on an Executor, fed by a Loader, with validation, checkpoints, log and early stop.
//
// Everything that decides what a step does (which samples, which rate, which random numbers) follows from the seed and
// the step's number, so a run that was stopped at any step goes on bit by bit as it would have.
//
// With several workers each has a trainer of its own, on samples of its own. They hold the same weights and decide
// together (crew.h); rank 0 alone writes the run's folder.
#pragma once

#include <algorithm>
#include <functional>

#include "run/data/loader.h"
#include "run/measure/utilisation.h"
#include "run/train/crew.h"
#include "run/train/gradient_noise.h"
#include "run/train/judge.h"
#include "run/train/run_directory.h"
#include "run/train/schedule.h"
#include "run/train/trust_ratios.h"
#include "run/train/wire_rounding.h"

namespace plimsoll {

// What to do when the loss or a gradient is not a number: end, leave the update out, or go back to the last
// checkpoint's parameters. The batch is not taken again.
enum class OnNan { stop, skip, reload };
// Which number of the validation decides what is best.
enum class Monitor { accuracy, loss };

struct TrainerSetup {
  // Filled: with initial weights, or from a checkpoint when `state` is one's. Of a step in micro-batches `loader.batch`
  // is that of one of them, as many batches of the loader make a step.
  Executor* step = nullptr;
  // An inference of the same network and batch on the step's own parameters (Backend::compile_beside). Made for each
  // evaluation: it works in memory that the next step overwrites.
  std::function<Result<std::unique_ptr<Executor>>()> inference;
  Judge* judge = nullptr;
  DatasetPtr train, validation, test;  // the last two may be absent
  LoaderOptions loader;                // batch, workers, bad samples
  Schedule schedule;
  int64_t epochs = 1;
  std::optional<int64_t> max_steps;  // of the whole run, what came before a resume included
  uint64_t seed = 0;
  std::optional<int64_t> patience;  // epochs without a better one; then it stops
  bool save_best = false;           // and use it in the end; implied by patience
  Monitor monitor = Monitor::accuracy;
  int64_t renewed_batches = 0;  // over which batch norms' statistics are taken anew in the end, of each worker
  bool same_batches = false;    // all workers take the same: what a run that forgot to share its samples does
  OnNan on_nan = OnNan::stop;
  Seconds save_every{600};                  // between checkpoints inside an epoch
  std::optional<int64_t> save_every_steps;  // and between those that are counted in steps
  const RunDirectory* directory = nullptr;  // nullptr: another rank's
  CrewSetup crew;
  nlohmann::ordered_json config;  // goes into every checkpoint
  TrainingState state;            // where to begin

  bool keeps_best() const { return save_best || patience.has_value(); }
};

// From this share on, other programs' part of the processors is worth a word: it shows in the time of a step.
inline constexpr double kNoticedShare = 0.05;

// What a watcher is told after each step.
struct StepSeen {
  const TrainingState* state = nullptr;
  int64_t epochs = 0, steps_per_epoch = 0;
  int64_t last_step = 0;  // the run's, as far as it is known
  double loss = 0;        // of this step
  double learning_rate = 0;
  double images_per_second = 0;  // lately
  Seconds left;                  // until the end of training, at this pace
  double others = 0;             // share of the processors that other programs had lately; 0 of several workers
  int64_t tokens = 0;            // of a language model's sequence; else 0
};

class TrainingWatcher {
 public:
  virtual ~TrainingWatcher() = default;
  virtual void step_done(const StepSeen& step) = 0;
  virtual void evaluation_begins() {}
  virtual void epoch_done(const EpochReport& epoch) = 0;
  virtual void message(const std::string& sentence) = 0;
};

enum class TrainingEnd { finished, max_steps, early_stop, interrupted, terminated, not_finite };
std::string_view name_of(TrainingEnd end);  // "early-stop"

struct TrainingOutcome {
  TrainingEnd end = TrainingEnd::finished;
  std::string why;      // a sentence, where the end needs one
  TrainingState state;  // its epochs with the one that was cut short
  std::optional<Tally> test;
  bool restored_best = false;
  bool saved = true;            // the last checkpoint is that of the last step
  int64_t skipped_updates = 0;  // because of --on-nan
  int64_t skipped_samples = 0;
  int64_t steps = 0;     // of this process
  Seconds step_seconds;  // the mean of this process's steps, without waiting for data; the first one left out
  Seconds waited;        // for data
  std::vector<TrustRatio> trust_ratios;  // of the last update, with LARS and LAMB
  std::optional<NoiseScale> noise;       // of several workers' or micro-batches' gradients, lately
  int64_t workers = 1;
  Seconds communicated, exposed;  // of the exchange of gradients, and what of it steps waited for
  Bytes wire_bytes;               // that a worker gives for each step
  WireRounding rounding;          // without steps where gradients travel as they are
  std::string straggler;          // a sentence, when one was found
  double others = 0;              // share of the workers' processors that other programs had, 0 to 1
  int64_t tokens = 0;             // of a language model's sequence; else 0

  // The share of the exchange that went on beside the backward pass; absent of one worker.
  std::optional<double> hidden() const {
    if (communicated.value <= 0) return std::nullopt;
    return 1 - std::min(1.0, exposed.value / communicated.value);
  }
};

// An Error is what ends a run without an answer: data that cannot be read, a checkpoint that cannot be loaded.
Result<TrainingOutcome> train(TrainerSetup& setup, TrainingWatcher& watcher);

}  // namespace plimsoll
