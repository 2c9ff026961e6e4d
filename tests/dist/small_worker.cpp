// One worker of a small training run on the reference backend, with a fault of its own: what the command line cannot be
// made to do from outside. small_worker SCENARIO FOLDER: writes what came of it to FOLDER/rank-N. With "-sent" behind
// the scenario gradients go by messages, as between hosts.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "model/build/builder.h"
#include "model/ir/bind.h"
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

// A picture that cannot be read any more, from the third epoch on.
class SpoiltBlobs : public Blobs {
 public:
  using Blobs::Blobs;
  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    if (index == 17 && epoch >= 2) return user_error("not a picture any more").in(describe(index));
    return Blobs::get(index, epoch, input, label, scratch);
  }
};

// A step that takes more than five times as long.
class SlowStep : public Executor {
 public:
  explicit SlowStep(Executor& step) : step_(step) {}
  const Lowered& lowered() const override { return step_.lowered(); }
  const MemoryPlan& plan() const override { return step_.plan(); }
  void write(ValueId id, std::span<const std::byte> bytes) override { step_.write(id, bytes); }
  void read(ValueId id, std::span<std::byte> bytes) const override { step_.read(id, bytes); }
  std::span<std::byte> scratch() override { return step_.scratch(); }
  void compute() override {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // so that a busy machine does not hide it
    step_.compute();
    std::this_thread::sleep_for(4 * (std::chrono::steady_clock::now() - start - std::chrono::milliseconds(60)));
  }
  void update() override { step_.update(); }
  std::span<std::byte> storage(ValueId id) const override { return step_.storage(id); }
  void drop_sums() override { step_.drop_sums(); }
  OperationDone tell_of_each(OperationDone done) override { return step_.tell_of_each(std::move(done)); }
  void add_up_with(std::function<void(std::span<double>)> sum) override { step_.add_up_with(std::move(sum)); }
  std::optional<std::string> first_not_finite() override { return step_.first_not_finite(); }
  bool finite() const override { return step_.finite(); }

 private:
  Executor& step_;
};

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

int run(const std::string& words, const std::string& folder) {
  const std::string scenario = words.substr(0, words.find("-sent"));
  auto worker = *Worker::join(kUsualSilence, {[](bool) {}, [](const std::string&) {}});
  Communicator& all = worker.communicator();
  StepOptions options;
  options.optimizer = find_optimizer("adam").value();
  const auto training = make_step(forward(), options), inference = make_step(forward(), {});
  auto judge = *Judge::make(*training, *inference, 3);
  const bool longer = scenario == "slow" || scenario == "long";
  const auto step = *make_executor(reference_backend(), *training, 1);
  initialise(*step, uint64_t(5 + all.rank()));  // rank 0's are what counts
  std::optional<RunDirectory> directory;
  if (all.first()) directory.emplace(*RunDirectory::create(folder + "/run", "small"));
  TrainerSetup setup;
  SlowStep slow(*step);
  setup.step = scenario == "slow" && all.rank() == 1 ? &slow : step.get();
  setup.inference = [&] { return reference_backend().compile_beside(*inference, *step); };
  setup.judge = &judge;
  if (scenario == "spoilt") setup.train = std::make_shared<SpoiltBlobs>(32, Shape{1, 6, 6}, 3);
  else setup.train = std::make_shared<Blobs>(33, Shape{1, 6, 6}, 3, scenario.starts_with("nan") ? 17 : -1);
  setup.loader.bad.skip = true;
  setup.loader.batch = kBatch;
  setup.epochs = longer ? 9 : scenario == "spoilt" ? 4 : 1;
  setup.schedule = {.base = 0.02, .steps = 4};
  setup.on_nan = scenario == "nan-skip" ? OnNan::skip : OnNan::stop;
  setup.directory = directory ? &*directory : nullptr;
  setup.crew = {&all, worker.pulse()};
  setup.crew.exchange.neighbours = scenario == words && are_neighbours(all);
  Watcher watcher(*step, scenario == "drift" && all.rank() == 1);
  const auto outcome = train(setup, watcher);
  std::ofstream file(fmt::format("{}/rank-{}", folder, all.rank()));
  if (outcome.ok())
    file << fmt::format("{}\n{}\n{} steps, {} updates left out\n{} samples skipped\n{}\nweights {:x}\n",
                        name_of(outcome->end), outcome->why, outcome->state.step, outcome->skipped_updates,
                        outcome->skipped_samples, outcome->straggler, std::hash<std::string>()(stored_bytes(*step)));
  else file << outcome.error().line() << "\n";
  file.close();
  return worker.leave(0);
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) { return argc == 3 ? plimsoll::run(argv[1], argv[2]) : 2; }
