// One worker of a small training run on the reference backend, with a fault of its own: what the command line cannot be
// made to do from outside. small_worker SCENARIO FOLDER: writes what came of it to FOLDER/rank-N.
#include <fmt/format.h>

#include <fstream>

#include "model/ir/bind.h"
#include "model/zoo/builder.h"
#include "run/dist/worker.h"
#include "run/train/trainer.h"
#include "tests/unit/run/train/blobs.h"
#include "tests/unit/run/train/small_step.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 4;

Program forward() {
  Builder b("small", {1, 6, 6});
  auto x = b.conv("conv", b.input(), 4, {.kernel = {3, 3}});
  x = b.relu("relu", b.batch_norm("bn", x));
  x = b.dropout("dropout", b.flatten("flatten", x), 0.25);
  auto graph = b.finish(b.linear("fc", x, 3));
  BindOptions options;
  options.batch = kBatch;
  return *bind(*graph, options);
}

class Watcher : public TrainingWatcher {
 public:
  Watcher(Executor& step, bool drifts) : step_(step), drifts_(drifts) {}
  void step_done(const StepSeen& seen) override {
    if (!drifts_ || seen.state->step != 2) return;
    for (size_t i = 0; i < step_.program().values.size(); ++i)  // one bit of one weight, as a faulty memory does it
      if (step_.program().values[i].role == Role::parameter) {
        step_.storage({int32_t(i)})[0] ^= std::byte{1};
        return;
      }
  }
  void epoch_done(const EpochReport&) override {}
  void message(const std::string& sentence) override { messages.push_back(sentence); }

  std::vector<std::string> messages;

 private:
  Executor& step_;
  bool drifts_;
};

int run(const std::string& scenario, const std::string& folder) {
  auto worker = *Worker::join(kUsualSilence, {[](bool) {}, [](const std::string&) {}});
  Communicator& all = worker.communicator();
  StepOptions options;
  options.optimizer = find_optimizer("adam").value();
  const auto training = make_step(forward(), options), inference = make_step(forward(), {});
  auto judge = *Judge::make(*training, *inference, 3);
  const auto step = *make_executor(reference_backend(), *training, 1);
  initialise(*step, uint64_t(5 + all.rank()));  // rank 0's are what counts
  std::optional<RunDirectory> directory;
  if (all.first()) directory.emplace(*RunDirectory::create(folder + "/run", "small"));
  TrainerSetup setup;
  setup.step = step.get();
  setup.inference = [&] { return reference_backend().compile_beside(*inference, *step); };
  setup.judge = &judge;
  setup.train = std::make_shared<Blobs>(33, Shape{1, 6, 6}, 3, scenario.starts_with("nan") ? 17 : -1);
  setup.loader.batch = kBatch;
  setup.epochs = 1;
  setup.schedule = {.base = 0.02, .steps = 4};
  setup.on_nan = scenario == "nan-skip" ? OnNan::skip : OnNan::stop;
  setup.directory = directory ? &*directory : nullptr;
  setup.crew = {&all, worker.pulse()};
  Watcher watcher(*step, scenario == "drift" && all.rank() == 1);
  const auto outcome = train(setup, watcher);
  std::ofstream file(fmt::format("{}/rank-{}", folder, all.rank()));
  if (outcome.ok())
    file << fmt::format("{}\n{}\n{} steps, {} updates left out\n{:x}\n", name_of(outcome->end), outcome->why,
                        outcome->state.step, outcome->skipped_updates, std::hash<std::string>()(stored_bytes(*step)));
  else file << outcome.error().line() << "\n";
  file.close();
  return worker.leave(0);
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) { return argc == 3 ? plimsoll::run(argv[1], argv[2]) : 2; }
