#include "tell/report/calibrate_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

template <class Rate>
std::string number_line(const std::string& what, Rate before, Rate after) {
  return fmt::format("  {:<30} {} ({:+.0f} % against the {} expected from the data sheet)\n", what, human_rate(after),
                     100 * (after.per_second / before.per_second - 1), human_rate(before));
}

std::string off(Seconds predicted, Seconds measured) {
  return fmt::format("{:+.1f} %", 100 * (predicted.value / measured.value - 1));
}

std::string runs_text(const CalibrateOutcome& outcome) {
  Table table({{"Run", Table::Align::left, 60}, {"Measured"}, {"Data sheet"}, {"Off"}, {"Calibrated"}, {"Off"}});
  for (const auto& run : outcome.runs)
    table.add({run.text, human_time(run.measured), human_time(run.before), off(run.before, run.measured),
               human_time(run.after), off(run.after, run.measured)});
  return table.text() + fmt::format("Median error of {} {} before, {} after; of other networks it may be more.\n",
                                    outcome.runs.size() == 1 ? "this run" : "these runs",
                                    percent(*outcome.median_before), percent(*outcome.median_after));
}

}  // namespace

std::string calibrate_text(const CalibrateOutcome& outcome) {
  std::string text = fmt::format("{}, calibrated\n", outcome.device.title);
  text += number_line(fmt::format("large products in {}", name_of(outcome.after.format)), outcome.before.gemm,
                      outcome.after.gemm);
  text += number_line("copies of large tensors", outcome.before.bandwidth, outcome.after.bandwidth);
  if (!outcome.runs.empty()) text += runs_text(outcome);
  if (!outcome.kept_in) return text + "Not kept: give -o FILE for a device file.\n";
  const bool plain = outcome.kept_in->find('/') == std::string::npos;
  return text + fmt::format("Kept in {}. Use it with --device {}{}.\n", printable(*outcome.kept_in), plain ? "./" : "",
                            printable(*outcome.kept_in));
}

}  // namespace plimsoll
