// The forecast as a whole: the runs that were asked about, the knee, and what to take: how many workers, which batch,
// which learning rate, how long a warm-up, with reasons in sentences.
//
// Where the steps to the same loss are not known, for want of a critical batch, nothing is recommended. The answer is
// then given for a range of critical batches.
#pragma once

#include "plan/verdict/rate_scaling.h"
#include "plan/verdict/scale.h"

namespace plimsoll {

// What a choice is made by when neither a deadline nor a budget is given.
enum class ScaleBy { knee, time, money };

struct ScaleAim {
  ScaleBy by = ScaleBy::knee;
  std::optional<Seconds> deadline;      // the cheapest that is done by then
  std::optional<Dollars> budget;        // the fastest that costs no more
  std::optional<double> learning_rate;  // at the reference batch
  std::optional<RateRule> rule;         // absent: the optimizer's usual
  std::vector<double> supposed;         // critical batches to answer for too, where they matter
};

struct ScaleAdvice {
  ScaleRun run;
  RateRule rule = RateRule::linear;
  double rate_factor = 1;               // over the rate at the reference batch
  std::optional<double> learning_rate;  // absent when the rate at the reference batch is not given
  int64_t warm_up_steps = 0;
};

// The answer if the critical batch were this.
struct SupposedScale {
  double critical_batch = 0;
  std::optional<ScaleAdvice> advice;  // absent: nothing meets the aim
  ScaleRun knee;
};

struct ScaleForecast {
  std::vector<ScaleRun> runs;         // as asked
  std::optional<ScaleRun> knee;       // absent when steps are not known, as is the advice
  std::optional<ScaleAdvice> advice;  // of one of the runs
  bool aim_met = true;                // deadline and budget
  std::vector<SupposedScale> supposed;
  std::vector<std::string> reasons;
};

Result<ScaleForecast> scale_forecast(Scaling& scaling, const std::vector<int64_t>& workers, const ScaleAim& aim);

}  // namespace plimsoll
