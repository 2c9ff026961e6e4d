#include "plan/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/size_text.h"

namespace plimsoll {
namespace {

// A job that a CPU is done with in this time is not worth renting a GPU for.
constexpr Seconds kNotWorthMoving{60};

// GPU instances cost two to three times what CPU instances of their day do.
constexpr double kUsualPriceRatio = 2.5;

bool is_gpu(const JobPlacement& placement) { return placement.device.part.kind == DeviceKind::gpu; }
const std::string& name_of(const JobPlacement& placement) { return placement.device.whole.name; }

std::string times(double factor) { return fmt::format("{:.{}f} times", factor, factor < 10 ? 1 : 0); }

// The best of a kind, in the order of the ranking.
const JobPlacement* best(const std::vector<JobPlacement>& ranked, bool gpu) {
  for (const auto& placement : ranked)
    if (placement.fits && is_gpu(placement) == gpu) return &placement;
  return nullptr;
}

// The cheapest of a kind that is rented: a card that was bought has no host yet.
const JobPlacement* cheapest(const std::vector<JobPlacement>& ranked, bool gpu) {
  const JobPlacement* found = nullptr;
  for (const auto& placement : ranked) {
    if (!placement.fits || is_gpu(placement) != gpu || !placement.cost || !placement.price->rented) continue;
    if (!found || placement.cost->value < found->cost->value) found = &placement;
  }
  return found;
}

class Writer {
 public:
  Writer(const Job& job, const JobPlacement& gpu, const JobPlacement& cpu) : job_(job), gpu_(gpu), cpu_(cpu) {}

  Verdict write() {
    verdict_.speed_up = gpu_.samples_per_second / cpu_.samples_per_second;
    if (gpu_.price && cpu_.price) verdict_.price_ratio = gpu_.price->price.value / cpu_.price->price.value;
    const double ratio = verdict_.price_ratio.value_or(kUsualPriceRatio);
    const bool short_job = cpu_.total < kNotWorthMoving;
    const bool gpu_pays = *verdict_.speed_up > ratio && !short_job;
    const JobPlacement& chosen = gpu_pays ? gpu_ : cpu_;
    verdict_.choice = name_of(chosen);
    verdict_.kind = gpu_pays ? "gpu" : "cpu";
    say_speed();
    say_work();
    say_what_binds();
    say_transfer();
    say_money(gpu_pays, ratio);
    if (short_job) say_short_job();
    else say_what_would_change(gpu_pays, ratio);
    return std::move(verdict_);
  }

 private:
  void say(std::string sentence) { verdict_.reasons.push_back(std::move(sentence)); }

  void say_speed() {
    const double speed_up = *verdict_.speed_up;
    say(fmt::format("{} takes {} for the job, {} {}: {} is {} faster.", name_of(gpu_), human_time(gpu_.total),
                    name_of(cpu_), human_time(cpu_.total), speed_up >= 1 ? "the GPU" : "the CPU",
                    times(speed_up >= 1 ? speed_up : 1 / speed_up)));
  }

  void say_work() {
    const double data = double(job_.samples) * double(job_.loading.sample.value());
    say(fmt::format("A sample is {} of arithmetic{}; the parameters are {}{}.",
                    human_count(int64_t(gpu_.sample_flops)) + "FLOP", job_.trains() ? ", there and back" : "",
                    human_bytes(gpu_.parameters), data > 0 ? ", the data " + human_bytes(Bytes(int64_t(data))) : ""));
  }

  void say_what_binds() {
    const std::string on_gpu = what_binds(gpu_), on_cpu = what_binds(cpu_);
    if (on_gpu == on_cpu) {
      say("On both " + on_gpu + ".");
      return;
    }
    say("On the GPU " + on_gpu + ".");
    say("On the CPU " + on_cpu + ".");
  }

  static std::string what_binds(const JobPlacement& placement) {
    const std::string share = percent(placement.pace.busy);
    const auto bandwidth = placement.device.part.memory_bandwidth;
    switch (placement.bound_by) {
      case BoundBy::disk:
      case BoundBy::decode: return fmt::format("loading sets the pace, and it computes only {} of the time", share);
      case BoundBy::transfer:
        return fmt::format("moving the batch sets the pace, and it computes only {} of the time", share);
      case BoundBy::arithmetic:
        return "most of a step is arithmetic, as convolutions and products use each number often";
      case BoundBy::bandwidth:
        return "most of a step waits for memory" + (bandwidth ? " (" + human_rate(*bandwidth) + ")" : std::string());
      case BoundBy::launch:
        return fmt::format("starting kernels takes most of a step: {} small operations do not fill it",
                           with_commas(int64_t(placement.compute.operations.size())));
    }
    return "";
  }

  void say_transfer() {
    const double share = gpu_.stages.transfer.value / gpu_.step.value;
    if (gpu_.stages.transfer.value <= 0) return;
    say(fmt::format("Moving a batch to the GPU takes {}, {} of a step{}.", human_time(gpu_.stages.transfer),
                    percent(share), share < 1 ? ", and goes on while it computes" : ""));
  }

  void say_money(bool gpu_pays, double ratio) {
    if (!verdict_.price_ratio) {
      say(
          fmt::format("Prices are not known for both. A GPU instance usually costs two to three times a CPU's; at {} "
                      "faster it {}.",
                      times(*verdict_.speed_up), gpu_pays ? "pays" : "does not pay"));
      return;
    }
    const std::string hours = fmt::format("An hour costs {:.3g} USD on the GPU and {:.3g} USD on the CPU",
                                          gpu_.price->price.value, cpu_.price->price.value);
    if (ratio <= 1) say(hours + ": this GPU costs no more, so it pays as soon as it is faster.");
    else
      say(fmt::format("{}, {} as much: the GPU pays from {} the speed on, and it has {}.", hours, times(ratio),
                      times(ratio), times(*verdict_.speed_up)));
    say(fmt::format("The job costs {} on the GPU and {} on the CPU.", human_dollars(*gpu_.cost),
                    human_dollars(*cpu_.cost)));
  }

  void say_short_job() {
    say(fmt::format(
        "The CPU is done with the whole job in {}: that is not worth a GPU. A job many times longer would be.",
        human_time(cpu_.total)));
  }

  void say_what_would_change(bool gpu_pays, double ratio) {
    const double speed_up = *verdict_.speed_up;
    if (gpu_pays) {
      say(fmt::format("It would change if the GPU cost more than {} what the CPU does{}.", times(speed_up),
                      cpu_.price ? fmt::format(" ({:.3g} USD/h)", cpu_.price->price.value * speed_up) : ""));
      return;
    }
    std::string sentence = fmt::format("It would change if the GPU were {} faster than it is", times(ratio / speed_up));
    if (gpu_.bound_by == BoundBy::launch) sentence += ": with a larger batch or a larger network";
    else if (is_loader(gpu_.bound_by)) sentence += ": with more cores or a faster disk to load from";
    else if (gpu_.bound_by == BoundBy::transfer) sentence += ": with smaller samples or a faster link";
    say(sentence + (gpu_.price
                        ? fmt::format(", or cost less than {:.3g} USD/h.", gpu_.price->price.value * speed_up / ratio)
                        : "."));
  }

  const Job& job_;
  const JobPlacement &gpu_, &cpu_;
  Verdict verdict_;
};

Verdict only(const JobPlacement& placement, const std::string& why) {
  Verdict verdict;
  verdict.choice = name_of(placement);
  verdict.kind = is_gpu(placement) ? "gpu" : "cpu";
  verdict.reasons.push_back(fmt::format("{} is done in {}{}.", verdict.choice, human_time(placement.total),
                                        placement.cost ? " for " + human_dollars(*placement.cost) : ""));
  verdict.reasons.push_back(why);
  return verdict;
}

}  // namespace

Verdict verdict(const Job& job, const std::vector<JobPlacement>& ranked) {
  const JobPlacement* gpu = cheapest(ranked, true);
  const JobPlacement* cpu = cheapest(ranked, false);
  if (!gpu || !cpu) {  // not both are rented: the fastest of each
    gpu = best(ranked, true);
    cpu = best(ranked, false);
  }
  if (gpu && cpu) return Writer(job, *gpu, *cpu).write();
  if (gpu) return only(*gpu, "No CPU was asked about that carries it.");
  if (cpu) return only(*cpu, "No GPU was asked about that carries it.");
  Verdict none;
  none.reasons.push_back("Nothing that was asked about carries it.");
  for (const auto& placement : ranked)
    if (none.reasons.size() < 4 && !placement.why_not.empty())
      none.reasons.push_back(name_of(placement) + ": " + placement.why_not + ".");
  return none;
}

}  // namespace plimsoll
