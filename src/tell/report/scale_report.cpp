#include "tell/report/scale_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string whole(double number) { return with_commas(std::llround(number)); }
std::string rate_text(double rate) { return fmt::format("{:.{}f}", rate, rate < 10 ? 2 : 0); }
std::string cost_text(const std::optional<Dollars>& cost) { return cost ? human_dollars(*cost) : "?"; }
std::string time_or_none(Seconds time) { return time.value > 0 ? human_time(time) : "-"; }

std::string wiring_text(const Wiring& wiring, int64_t most) {
  if (most == 1) return "";
  if (wiring.per_node == 1) return fmt::format("workers connected by {}\n", wiring.between.title);
  const std::string inside =
      wiring.per_node >= most ? "workers in one host" : fmt::format("{} workers a node", with_commas(wiring.per_node));
  return fmt::format("{}, connected by {}{}\n", inside, wiring.inside.title,
                     most > wiring.per_node ? "; nodes connected by " + wiring.between.title : "");
}

int64_t most_workers(const ScaleForecast& forecast) {
  int64_t most = 1;
  for (const auto& run : forecast.runs) most = std::max(most, run.workers);
  return most;
}

std::string heading(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view) {
  const ScaleQuestion& question = scaling.question();
  const Job& job = question.job;
  return fmt::format("{} on {}, {}, training with {}, {}\n{} {} of {} samples at batch {}{}\n{}\n",
                     printable(view.model, 80), question.device.whole.name, name_of(scaling.framework()),
                     job.step.optimizer->name, job.format.name, with_commas(job.epochs),
                     job.epochs == 1 ? "epoch" : "epochs", with_commas(job.samples),
                     with_commas(scaling.reference_batch()),
                     question.critical_batch ? ", critical batch " + whole(*question.critical_batch) : "",
                     wiring_text(question.wiring, most_workers(forecast)));
}

Table runs_table(const ScaleForecast& forecast) {
  Table table({{"Workers"},
               {"Batch"},
               {"Global batch"},
               {"Step"},
               {"Compute"},
               {"Exposed"},
               {"Waiting"},
               {"Images/s"},
               {"Efficiency"},
               {"Steps"},
               {"Time"},
               {"Cost"},
               {"Bound by", Table::Align::left}});
  for (const auto& run : forecast.runs)
    table.add({with_commas(run.workers), with_commas(run.batch) + (run.fits ? "" : " (does not fit)"),
               with_commas(run.global_batch), human_time(run.step), human_time(run.compute),
               time_or_none(run.exchange.exposed), time_or_none(run.waiting), rate_text(run.samples_per_second),
               percent(run.efficiency), whole(run.steps), human_time(run.total), cost_text(run.cost),
               std::string(run.bound_by)});
  return table;
}

Table supposed_table(const ScaleForecast& forecast) {
  Table table({{"If the critical batch is"},
               {"Workers"},
               {"Batch"},
               {"Global batch"},
               {"Steps"},
               {"Time"},
               {"Cost"},
               {"Rate ×"},
               {"Warm-up steps"},
               {"Knee at"}});
  for (const auto& answer : forecast.supposed) {
    const std::string knee = with_commas(answer.knee.workers) + (answer.knee.workers == 1 ? " worker" : " workers");
    if (!answer.advice) {
      table.add({whole(answer.critical_batch), "none", "-", "-", "-", "-", "-", "-", "-", knee});
      continue;
    }
    const ScaleRun& run = answer.advice->run;
    table.add({whole(answer.critical_batch), with_commas(run.workers), with_commas(run.batch),
               with_commas(run.global_batch), whole(run.steps), human_time(run.total), cost_text(run.cost),
               fmt::format("{:.3g}", answer.advice->rate_factor), with_commas(answer.advice->warm_up_steps), knee});
  }
  return table;
}

// Plain numbers in seconds and dollars, for spreadsheets.
Table number_table(const Scaling& scaling, const ScaleForecast& forecast, bool lower_bound) {
  Table table({{"workers"},
               {"nodes"},
               {"batch"},
               {"global_batch"},
               {"fits"},
               {"step_seconds"},
               {"compute_seconds"},
               {"communication_seconds"},
               {"exposed_seconds"},
               {"waiting_seconds"},
               {"images_per_second"},
               {"efficiency"},
               {"steps"},
               {"epochs"},
               {"total_seconds"},
               {"cost"},
               {"bound_by"},
               {"lower_bound"}});
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  for (const auto& run : forecast.runs)
    table.add({std::to_string(run.workers), std::to_string(run.nodes), std::to_string(run.batch),
               std::to_string(run.global_batch), run.fits ? "1" : "0", number(run.step.value),
               number(run.compute.value), number(run.exchange.alone.value), number(run.exchange.exposed.value),
               number(run.waiting.value), number(run.samples_per_second), number(run.efficiency),
               fmt::format("{:.0f}", run.steps), number(run.samples / double(scaling.question().job.samples)),
               number(run.total.value), run.cost ? number(run.cost->value) : "", std::string(run.bound_by),
               lower_bound ? "1" : "0"});
  return table;
}

}  // namespace

std::string scale_text(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view) {
  std::string text = heading(scaling, forecast, view) + runs_table(forecast).text();
  if (!forecast.supposed.empty()) text += "\n" + supposed_table(forecast).text();
  if (view.uncounted.lower_bound()) text += "\n" + lower_bound_text(view.uncounted) + "\n";
  if (forecast.advice)
    text += fmt::format("\nVerdict{}: {} worker{}.\n", view.uncounted.lower_bound() ? " of what is known" : "",
                        with_commas(forecast.advice->run.workers), forecast.advice->run.workers == 1 ? "" : "s");
  else text += forecast.knee ? "\nVerdict: none.\n" : "\nVerdict: open.\n";
  for (const auto& reason : forecast.reasons) text += "  " + reason + "\n";
  for (const auto& note : view.notes) text += note + "\n";
  return text;
}

std::string scale_markdown(const ScaleForecast& forecast, const ScaleView& view) {
  std::string text = runs_table(forecast).markdown();
  if (!forecast.supposed.empty()) text += "\n" + supposed_table(forecast).markdown();
  if (view.uncounted.lower_bound()) text += "\n" + lower_bound_text(view.uncounted) + "\n";
  return text;
}

std::string scale_csv(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view) {
  return number_table(scaling, forecast, view.uncounted.lower_bound()).csv();
}

}  // namespace plimsoll
