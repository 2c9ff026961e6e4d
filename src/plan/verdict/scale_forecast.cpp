#include "plan/verdict/scale_forecast.h"

#include <algorithm>

#include "plan/verdict/scale_reasons.h"

namespace plimsoll {
namespace {

constexpr int64_t kSearchedWorkers = 4096;  // for the knee, or as many as are asked about

bool meets(const ScaleRun& run, const ScaleAim& aim) {
  if (!run.fits) return false;
  if (aim.deadline && run.total > *aim.deadline) return false;
  return !aim.budget || (run.cost && *run.cost <= *aim.budget);
}

// Less is better.
double measure(const ScaleRun& run, const ScaleAim& aim) {
  if (aim.deadline) return money_of(run);
  if (aim.budget) return run.total.value;
  switch (aim.by) {
    case ScaleBy::time: return run.total.value;
    case ScaleBy::money: return money_of(run);
    case ScaleBy::knee: break;
  }
  return run.total.value * money_of(run);
}

const ScaleRun* choose(const std::vector<ScaleRun>& runs, const ScaleAim& aim) {
  const ScaleRun* best = nullptr;
  for (const auto& run : runs)
    if (meets(run, aim) && (!best || measure(run, aim) < measure(*best, aim))) best = &run;
  return best;
}

ScaleAdvice advise(const Scaling& scaling, const ScaleRun& run, const ScaleAim& aim) {
  const Job& job = scaling.question().job;
  ScaleAdvice advice{.run = run, .learning_rate = std::nullopt};
  advice.rule = aim.rule.value_or(usual_rule(job.step.optimizer->name));
  const auto batch = double(run.global_batch);
  advice.rate_factor = rate_factor(advice.rule, batch, double(scaling.reference_batch()));
  if (aim.learning_rate) advice.learning_rate = *aim.learning_rate * advice.rate_factor;
  advice.warm_up_steps = warm_up_steps(advice.rate_factor, double(job.samples), batch, run.steps);
  return advice;
}

Result<std::vector<ScaleRun>> runs_of(Scaling& scaling, const std::vector<int64_t>& workers,
                                      std::optional<double> critical_batch) {
  std::vector<ScaleRun> runs;
  for (const int64_t number : workers) {
    PLIM_ASSIGN(const ScaleRun run, scaling.on(number, critical_batch));
    runs.push_back(run);
  }
  return runs;
}

}  // namespace

Result<ScaleForecast> scale_forecast(Scaling& scaling, const std::vector<int64_t>& workers, const ScaleAim& aim) {
  const int64_t searched = std::max(kSearchedWorkers, *std::max_element(workers.begin(), workers.end()));
  const auto critical = scaling.question().critical_batch;
  ScaleForecast forecast;
  PLIM_ASSIGN(forecast.runs, runs_of(scaling, workers, critical));
  const bool known = scaling.knows_steps();
  if (known) {
    PLIM_ASSIGN(forecast.knee, scaling.knee(critical, searched));
    if (const ScaleRun* chosen = choose(forecast.runs, aim)) forecast.advice = advise(scaling, *chosen, aim);
    forecast.aim_met = forecast.advice.has_value();
  }
  const bool matters = critical || !known;
  for (const double supposed : matters ? aim.supposed : std::vector<double>()) {
    SupposedScale answer{.critical_batch = supposed, .advice = std::nullopt, .knee = {}};
    PLIM_ASSIGN(const auto runs, runs_of(scaling, workers, supposed));
    PLIM_ASSIGN(answer.knee, scaling.knee(supposed, searched));
    if (const ScaleRun* chosen = choose(runs, aim)) answer.advice = advise(scaling, *chosen, aim);
    forecast.supposed.push_back(answer);
  }
  if (!known)
    forecast.aim_met = std::any_of(forecast.supposed.begin(), forecast.supposed.end(),
                                   [](const SupposedScale& answer) { return answer.advice.has_value(); });
  forecast.reasons = scale_reasons(scaling, forecast, aim);
  return forecast;
}

}  // namespace plimsoll
