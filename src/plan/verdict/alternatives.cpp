#include "plan/verdict/alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "model/optim/all_optimizers.h"
#include "plan/verdict/sample_time.h"

namespace plimsoll {
namespace {

constexpr double kRecomputeShares[] = {0.05, 0.35, 1.0};  // of the forward pass
constexpr int64_t kMostParts = 4096;
constexpr int64_t kDevices[] = {2, 4, 8};

class Alternatives {
 public:
  Alternatives(const FitQuestion& question, const FitAnswer& answer) : question_(question), answer_(answer) {}

  std::vector<Alternative> find() {
    auto present = FrameworkLoad::make(question_);
    if (!present.ok()) return {};
    present_ = sample_time(question_, *present, std::max<int64_t>(answer_.largest, 1));
    // It takes the longest, so it is looked for beside the others; not of our own engine, whose plans they share.
    const auto when = question_.framework == Framework::plimsoll ? std::launch::deferred : std::launch::async;
    std::future<std::optional<Alternative>> recomputed;
    if (question_.step.optimizer) recomputed = std::async(when, [this] { return recomputation(); });
    add_format();
    const auto place = ptrdiff_t(found_.size());
    if (question_.step.optimizer) {
      add_optimizer();
      add_micro_batches();
    }
    add_devices(*present);
    if (recomputed.valid())
      if (auto one = recomputed.get()) found_.insert(found_.begin() + place, *std::move(one));
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Alternative& a, const Alternative& b) { return a.batch > b.batch; });
    return std::move(found_);
  }

 private:
  // The load of a changed question, and the largest batch that it carries.
  struct Carried {
    FrameworkLoad load;
    int64_t batch = 0;
  };

  // Nothing where it carries none or cannot be asked.
  std::optional<Carried> carried(const FitQuestion& changed) const {
    auto load = FrameworkLoad::make(changed);
    if (!load.ok()) return std::nullopt;
    const auto batch = load->largest_under(room_of(changed, *load));
    if (!batch.ok() || *batch == 0) return std::nullopt;
    return Carried{*std::move(load), *batch};
  }

  Room room_of(const FitQuestion& question, const FrameworkLoad& load) const {
    return load.room(question.device ? &*question.device : nullptr, answer_.line);
  }

  void add(std::string change, const FitQuestion& changed) {
    auto more = carried(changed);
    if (!more || more->batch <= answer_.largest) return;
    found_.push_back({std::move(change), more->batch, slowdown(sample_time(changed, more->load, more->batch))});
  }

  std::optional<double> slowdown(std::optional<Seconds> changed) const {
    if (!present_ || !changed || present_->value <= 0) return std::nullopt;
    return changed->value / present_->value;
  }

  void add_format() {
    if (question_.format.name != "f32" || !has_half()) return;
    FitQuestion changed = question_;
    const bool trains = question_.step.optimizer != nullptr;
    changed.format = *number_format(trains ? "amp" : "f16");
    add(trains ? "amp: f32 parameters, f16 activations" : "f16 instead of f32", changed);
  }

  // Formats that the device computes in; of a bare size of memory nothing is known, so it is offered. Our own engine
  // computes in f32.
  bool has_half() const {
    if (question_.framework == Framework::plimsoll) return false;
    return !question_.device || question_.device->product_peak(DType::f16).has_value();
  }

  // As much as is allowed carries the most; then no more of it than that takes.
  std::optional<Alternative> recomputation() const {
    FitQuestion changed = question_;
    changed.step.recompute = 1;
    auto more = carried(changed);
    if (!more || more->batch <= answer_.largest) return std::nullopt;
    const auto least = more->load.least_recomputation(more->batch, room_of(changed, more->load));
    if (!least.ok() || !*least) return std::nullopt;
    changed.step.recompute = *std::lower_bound(std::begin(kRecomputeShares), std::end(kRecomputeShares), **least);
    more->load.recompute_at_most(changed.step.recompute);
    return Alternative{
        fmt::format("recompute activations (up to {:.0f} % of the forward pass again)", changed.step.recompute * 100),
        more->batch, slowdown(sample_time(changed, more->load, more->batch))};
  }

  void add_optimizer() {
    const Optimizer* leanest = question_.step.optimizer;
    for (const char* name : {"momentum", "sgd"})
      if (const Optimizer* other = *find_optimizer(name); other->state.size() < leanest->state.size()) leanest = other;
    if (leanest == question_.step.optimizer) return;
    FitQuestion changed = question_;
    changed.step.optimizer = leanest;
    add(fmt::format("{} instead of {}", leanest->name, question_.step.optimizer->name), changed);
  }

  // As many small batches as the batch asked for needs; four times the largest when none was.
  void add_micro_batches() {
    FitQuestion changed = question_;
    changed.step.micro_batches = 2;  // more need no more memory
    auto part = carried(changed);
    if (!part) return;
    const int64_t small = part->batch;
    const int64_t wanted = question_.batch.value_or(0) > answer_.largest ? *question_.batch : 4 * small;
    const int64_t parts = (wanted + small - 1) / small;
    if (parts < 2 || parts > kMostParts) return;
    changed.step.micro_batches = parts;
    const int64_t batch = (wanted + parts - 1) / parts;
    if (batch * parts <= answer_.largest) return;
    found_.push_back({fmt::format("{} micro-batches of {}", parts, batch), batch * parts,
                      slowdown(sample_time(changed, part->load, batch))});
  }

  void add_devices(FrameworkLoad& present) {
    if (answer_.largest == 0) return;  // each device carries the whole model
    const int64_t wanted = question_.batch.value_or(0);
    for (const int64_t devices : kDevices) {
      const int64_t batch = devices * answer_.largest;
      if (batch < wanted && devices != kDevices[std::size(kDevices) - 1]) continue;
      found_.push_back({fmt::format("{} of these devices, the batch divided among them", devices), batch,
                        slowdown(sample_time(question_, present, answer_.largest, devices))});
      return;
    }
  }

  const FitQuestion& question_;
  const FitAnswer& answer_;
  std::optional<Seconds> present_;
  std::vector<Alternative> found_;
};

}  // namespace

std::vector<Alternative> alternatives(const FitQuestion& question, const FitAnswer& answer) {
  return Alternatives(question, answer).find();
}

}  // namespace plimsoll
