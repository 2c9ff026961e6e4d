#include "plan/verdict/scale_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rows/named.h"
#include "base/size_text.h"

namespace plimsoll {
namespace {

constexpr double kGoodEfficiency = 0.8;
constexpr int64_t kFewSamples = 16;    // for the statistics of a batch norm
constexpr double kPastLinear = 1.5;    // times the best rate: worth a word
constexpr double kMuchExposed = 0.05;  // of a step: worth a word on what would help

std::string workers_text(int64_t workers) {
  return fmt::format("{} worker{}", with_commas(workers), workers == 1 ? "" : "s");
}

std::string whole(double number) { return with_commas(std::llround(number)); }

std::string times(double factor) { return fmt::format("{:.{}f} times", factor, factor < 10 ? 1 : 0); }

std::string for_money(const ScaleRun& run) { return run.cost ? " for " + human_dollars(*run.cost) : ""; }

bool has_batch_norm(const Job& job) {
  const auto program = job.network->forward(std::nullopt, job.format);
  return program.ok() && std::any_of(program->operations.begin(), program->operations.end(),
                                     [](const Operation& one) { return one.op && one.op->kind == OpKind::batch_norm; });
}

class Reasons {
 public:
  Reasons(const Scaling& scaling, const ScaleForecast& forecast, const ScaleAim& aim)
      : scaling_(scaling), question_(scaling.question()), forecast_(forecast), aim_(aim) {}

  std::vector<std::string> write() {
    if (forecast_.advice) {
      say_choice();
      say_aim();
      say_knee();
      say_samples();
    } else if (nothing_fits()) {
      say_does_not_fit();
    } else if (forecast_.knee) {
      say_nothing_meets();
      say_knee();
    } else {
      say_unknown();
    }
    say_efficiency();
    say_exchange();
    say_straggling();
    say_loading();
    if (forecast_.advice) {
      say_learning_rate();
      say_batch_norm();
      say_next();
    }
    return std::move(sentences_);
  }

 private:
  void say(std::string sentence) { sentences_.push_back(std::move(sentence)); }
  const ScaleRun& chosen() const { return forecast_.advice->run; }
  const ScaleRun& first() const { return forecast_.runs.front(); }

  void say_choice() {
    const ScaleRun& run = chosen();
    std::string sentence =
        fmt::format("{} with a batch of {} each, {} together, are done in {}{}", workers_text(run.workers),
                    with_commas(run.batch), with_commas(run.global_batch), human_time(run.total), for_money(run));
    if (run.workers == 1)
      sentence = fmt::format("1 worker with a batch of {} is done in {}{}", with_commas(run.batch),
                             human_time(run.total), for_money(run));
    if (first().workers < run.workers)
      sentence += fmt::format(", {} as fast as {}", times(first().total.value / run.total.value),
                              workers_text(first().workers));
    say(sentence + ".");
  }

  void say_aim() {
    if (aim_.deadline)
      say(fmt::format("That is the cheapest of those asked about that is done within {}.", human_time(*aim_.deadline)));
    else if (aim_.budget)
      say(fmt::format("That is the fastest of those asked about that costs no more than {}.",
                      human_dollars(*aim_.budget)));
    else if (aim_.by == ScaleBy::time) say("That is the fastest of those asked about, at any price.");
    else if (aim_.by == ScaleBy::money) say("That is the cheapest of those asked about, however long it takes.");
  }

  bool nothing_fits() const {
    return std::none_of(forecast_.runs.begin(), forecast_.runs.end(), [](const ScaleRun& run) { return run.fits; });
  }

  void say_does_not_fit() {
    const ScaleRun& last = forecast_.runs.back();  // with a global batch that of the fewest samples a worker
    say(fmt::format("A batch of {} does not fit {}: it takes {} (plimsoll fit).", with_commas(last.batch),
                    question_.device.part.name, human_bytes(last.peak)));
  }

  void say_nothing_meets() {
    const auto by_time = [](const ScaleRun& a, const ScaleRun& b) { return a.total < b.total; };
    const ScaleRun& fastest = *std::min_element(forecast_.runs.begin(), forecast_.runs.end(), by_time);
    if (aim_.budget && !fastest.cost) {
      say("The price of the device is not known, so no budget can be kept (" + named("price") + " USD).");
      return;
    }
    say(fmt::format("None of those asked about meets the {}: the fastest, {}, is done in {}{}.",
                    aim_.deadline && aim_.budget ? "deadline and the budget"
                    : aim_.deadline              ? "deadline"
                                                 : "budget",
                    workers_text(fastest.workers), human_time(fastest.total), for_money(fastest)));
  }

  void say_unknown() {
    say(
        fmt::format("How many samples the same loss takes at a larger batch is not known without the critical batch. "
                    "Steps and times are of the same {} at every batch: the least that it can take.",
                    question_.job.epochs == 1 ? "single epoch" : whole(double(question_.job.epochs)) + " epochs"));
    say(
        fmt::format("Give it with {} N, or as the gradient noise scale of a run with {} N. Published ones "
                    "reach from about a thousand (digits) to tens of thousands (ImageNet) for pictures.",
                    named("critical_batch"), named("noise_scale")));
  }

  void say_knee() {
    const ScaleRun& knee = *forecast_.knee;
    say(fmt::format(
        "The knee is at {} with a global batch of {} ({}{}): up to there a percent more of money buys more than a "
        "percent of time, beyond it less.",
        workers_text(knee.workers), with_commas(knee.global_batch), human_time(knee.total), for_money(knee)));
  }

  void say_samples() {
    const ScaleRun& run = chosen();
    if (!question_.critical_batch) {
      say(fmt::format("The global batch is {} however many workers share it, so the steps are the same.",
                      with_commas(run.global_batch)));
      return;
    }
    const double critical = *question_.critical_batch, batch = double(run.global_batch);
    const LargeBatch model(critical, double(scaling_.reference_batch()),
                           double(question_.job.samples) * double(question_.job.epochs));
    say(fmt::format(
        "The critical batch is {}. At {} the same loss takes {} steps and {:.3g} epochs, {} more samples than the "
        "smallest batches need and {} the least number of steps.",
        whole(critical), whole(batch), whole(run.steps), run.samples / double(question_.job.samples),
        percent(model.samples(batch) / model.least_samples() - 1), times(model.steps(batch) / model.least_steps())));
  }

  void say_efficiency() {
    const ScaleRun *good = nullptr, *bad = nullptr;
    for (const auto& run : forecast_.runs) {
      if (run.efficiency >= kGoodEfficiency && !bad) good = &run;
      if (run.efficiency < kGoodEfficiency && !bad) bad = &run;
    }
    if (bad && (!good || good->workers == 1))
      say(fmt::format("{} keep only {} of their own speed.", workers_text(bad->workers), percent(bad->efficiency)));
    else if (good && bad)
      say(fmt::format("Up to {} the workers keep {} of their own speed; {} keep {}.", workers_text(good->workers),
                      percent(good->efficiency), with_commas(bad->workers), percent(bad->efficiency)));
    else if (good && good->workers > 1)
      say(fmt::format("{} keep {} of their own speed.", workers_text(good->workers), percent(good->efficiency)));
  }

  // Of the chosen run, else of the largest asked about.
  void say_exchange() {
    const ScaleRun& run = forecast_.advice ? chosen() : forecast_.runs.back();
    if (run.workers == 1 || run.exchange.alone.value <= 0) return;
    const double share = run.exchange.exposed.value / run.step.value;
    if (question_.exchange == ExchangeWay::one_process) {
      say(fmt::format("One process for {} copies parameters and gradients through the first of them: {}, {} of a step.",
                      workers_text(run.workers), human_time(run.exchange.exposed), percent(share)));
      return;
    }
    std::string sentence = fmt::format(
        "With {} the exchange of {} of gradients takes {}; {} of it is hidden beside the backward pass, {} are not, "
        "{}{} "
        "of a step.",
        workers_text(run.workers), human_bytes(run.exchange.bytes), human_time(run.exchange.alone),
        percent(run.exchange.hidden()), human_time(run.exchange.waited()),
        run.exchange.core.value > 0
            ? fmt::format("and the cores work {} for it: in all ", human_time(run.exchange.core))
            : "",
        percent(share));
    if (share > kMuchExposed)
      sentence += fmt::format(
          " A faster link, gradients in f16 on the wire ({} f16) or a larger batch per worker would hide more.",
          named("wire"));
    say(sentence);
  }

  void say_straggling() {
    const ScaleRun& run = forecast_.advice ? chosen() : forecast_.runs.back();
    if (run.straggling.value <= 0) return;
    say(fmt::format("Computing varies by {} from step to step, so the slowest of {} takes {} longer, {} of a step.",
                    percent(question_.jitter), workers_text(run.workers), human_time(run.straggling),
                    percent(run.straggling.value / run.step.value)));
  }

  void say_loading() {
    const ScaleRun& run = forecast_.advice ? chosen() : forecast_.runs.back();
    if (run.waiting.value <= 0) return;
    say(fmt::format(
        "With {} loading sets the pace ({}): they wait {}, {} of a step. More cores to decode on or a "
        "faster disk would help, more workers a node would not.",
        workers_text(run.workers), run.bound_by, human_time(run.waiting), percent(run.waiting.value / run.step.value)));
  }

  void say_learning_rate() {
    const ScaleAdvice& advice = *forecast_.advice;
    const std::string reference = with_commas(scaling_.reference_batch());
    const std::string rate = advice.learning_rate ? fmt::format("Learning rate {:.3g}: ", *advice.learning_rate)
                                                  : std::string("Learning rate: ");
    if (advice.rate_factor == 1 || advice.rule == RateRule::none) {
      say(rate + fmt::format("as at batch {}, without a warm-up.", reference));
      return;
    }
    std::string sentence = rate + fmt::format("{:.3g} times that of batch {}, by the {} rule of {}", advice.rate_factor,
                                              reference, advice.rule == RateRule::linear ? "linear" : "square-root",
                                              question_.job.step.optimizer->name);
    if (advice.warm_up_steps > 0) {
      const double epochs =
          double(advice.warm_up_steps) * double(chosen().global_batch) / double(question_.job.samples);
      sentence += fmt::format(", reached over a warm-up of {} steps ({:.2g} epochs)", with_commas(advice.warm_up_steps),
                              epochs);
    }
    say(sentence + ".");
    say_past_linear(advice);
  }

  void say_past_linear(const ScaleAdvice& advice) {
    if (advice.rule != RateRule::linear || !question_.critical_batch) return;
    const auto reference = double(scaling_.reference_batch());
    const double best =
        LargeBatch(*question_.critical_batch, reference, 1).best_rate(double(chosen().global_batch), reference);
    if (advice.rate_factor < kPastLinear * best) return;
    say(
        fmt::format("Near and past the critical batch the best rate grows more slowly than that: by the same model it "
                    "is {:.3g} times that of batch {}{}.",
                    best, with_commas(scaling_.reference_batch()),
                    aim_.learning_rate ? fmt::format(", {:.3g}", *aim_.learning_rate * best) : ""));
  }

  void say_batch_norm() {
    const ScaleRun& run = chosen();
    if (run.workers == 1 || run.batch >= kFewSamples || !has_batch_norm(question_.job)) return;
    say(fmt::format("A worker's {} are few for the statistics of its batch norms: synchronise them between workers.",
                    run.batch == 1 ? "single sample" : with_commas(run.batch) + " samples"));
  }

  void say_next() {
    for (const auto& run : forecast_.runs) {
      if (run.workers <= chosen().workers || !run.fits) continue;
      say(fmt::format("{} would be done in {}{}: {} as fast.", workers_text(run.workers), human_time(run.total),
                      for_money(run), times(chosen().total.value / run.total.value)));
      return;
    }
  }

  const Scaling& scaling_;
  const ScaleQuestion& question_;
  const ScaleForecast& forecast_;
  const ScaleAim& aim_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> scale_reasons(const Scaling& scaling, const ScaleForecast& forecast, const ScaleAim& aim) {
  return Reasons(scaling, forecast, aim).write();
}

}  // namespace plimsoll
