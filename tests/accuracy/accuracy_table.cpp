#include "tests/accuracy/accuracy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/facts.h"

namespace plimsoll {
namespace {

struct Group {
  std::string name;
  std::function<bool(const MeasuredStep&)> has;
};

std::vector<Group> all_groups() {
  const auto torch7 = [](const std::string& source) {
    return [=](const MeasuredStep& step) { return step.source == source && step.target; };
  };
  std::vector<Group> groups = {
      {"Torch7, cuDNN 4 to 5.1, Maxwell and Pascal, f32 training", torch7("jcjohnson")},
      {"Torch7, cuDNN 2 and 4, Maxwell, f32 and f16 training", torch7("soumith")},
  };
  for (const DType dtype : {DType::f32, DType::f16, DType::f64})
    for (const bool trains : {true, false})
      for (const bool several : {false, true}) {
        const std::string name = fmt::format("PyTorch, {}, Pascal to Turing, {} {}", several ? "2 to 4 GPUs" : "1 GPU",
                                             name_of(dtype), trains ? "training" : "inference");
        groups.push_back({name, [=](const MeasuredStep& step) {
                            return step.source == "ryujaehun" && step.execution.dtype == dtype &&
                                   step.trains == trains && (step.devices > 1) == several;
                          }});
      }
  groups.push_back({"Torch7, two Xeon E5-2630 v3, f32 training",
                    [](const MeasuredStep& step) { return step.source == "jcjohnson" && !step.target; }});
  groups.push_back({"TensorFlow 2, i5-8250U and MX150, f32 training",
                    [](const MeasuredStep& step) { return step.source == "catsdogs"; }});
  groups.push_back({"all rows of GPUs with cuDNN or PyTorch", [](const MeasuredStep& step) { return step.target; }});
  return groups;
}

Errors group_errors(const std::vector<ComparedStep>& steps, const std::function<bool(const MeasuredStep&)>& has) {
  std::vector<double> ratios;
  for (const auto& compared : steps)
    if (has(compared.step)) ratios.push_back(compared.ratio());
  return errors_of(ratios);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string line(const std::string& name, const Errors& errors) {
  return fmt::format("| {} | {} | {:.1f} % | {:.2f}× | {} |\n", name, errors.rows, 100 * errors.median, errors.worst,
                     percent(errors.within_30));
}

constexpr std::string_view kHead = "| {} | rows | median error | worst | within 30 % |\n|---|---|---|---|---|\n";

std::string by(const std::vector<ComparedStep>& steps, const std::string& what,
               const std::function<std::string(const MeasuredStep&)>& key) {
  std::map<std::string, std::vector<double>> groups;
  for (const auto& compared : steps)
    if (compared.step.target) groups[key(compared.step)].push_back(compared.ratio());
  std::string text = fmt::format(kHead, what);
  for (const auto& [name, ratios] : groups) text += line(name, errors_of(ratios));
  return text;
}

// What tools/fit_step_time.py --leave has written.
std::string left_out(const std::string& what) {
  std::string text = fmt::format(kHead, "left out: " + what);
  for (const auto& row : csv_rows(std::string(PLIM_TEST_DATA) + "/../accuracy/left_out_" + what + ".csv"))
    text +=
        line(row.at("left_out"), {size_t(std::atoll(row.at("rows").c_str())), std::atof(row.at("median_error").c_str()),
                                  std::atof(row.at("worst_factor").c_str()), std::atof(row.at("within_30").c_str())});
  return text;
}

}  // namespace

std::vector<ComparedStep> compare_steps() {
  StepPredictor predict;
  std::vector<ComparedStep> compared;
  for (auto& step : measured_steps()) {
    const PredictedStep predicted = predict(step);
    compared.push_back({std::move(step), predicted});
  }
  return compared;
}

Errors errors_of(const std::vector<double>& ratios) {
  Errors errors{.rows = ratios.size()};
  if (ratios.empty()) return errors;
  std::vector<double> off;
  for (const double ratio : ratios) {
    off.push_back(std::abs(ratio - 1));
    errors.worst = std::max({errors.worst, ratio, 1 / ratio});
    if (off.back() <= 0.3) errors.within_30 += 1 / double(ratios.size());
  }
  errors.median = median(std::move(off));
  return errors;
}

std::string accuracy_table(const std::vector<ComparedStep>& steps) {
  std::string text =
      "// Written by `make accuracy` from the measurements of tests/data/facts; a test holds it to them.\n";
  for (const auto& group : all_groups()) {
    const Errors errors = group_errors(steps, group.has);
    text += fmt::format("PLIM_ACCURACY(\"{}\", {}, {:.3f}, {:.2f}, {:.3f})\n", group.name, errors.rows, errors.median,
                        errors.worst, errors.within_30);
  }
  return text;
}

std::string accuracy_document(const std::vector<ComparedStep>& steps, const std::string& scaling) {
  std::string text =
      "# How good predicted step times are\n\n"
      "Written by `make accuracy`; a test holds it to the measurements of `tests/data/facts`. None of them is ours.\n\n"
      "A step time is the sum over the operations of the program: max(operations / (peak × share), bytes / (bandwidth "
      "×\n"
      "share)) + start, with shares by kind of operation, shape, number format, generation and software. The host "
      "starts\n"
      "operations one by one, the device runs them; the slower one sets the pace. The shares are in one table,\n"
      "`src/plan/time/time_parameters.inc`, fitted by `tools/fit_step_time.py`.\n\n"
      "Error: |predicted / measured - 1|. Worst: the largest factor either way.\n\n## By source\n\n";
  text += fmt::format(kHead, "measured");
  for (const auto& group : all_groups()) text += line(group.name, group_errors(steps, group.has));
  text += "\n## By device\n\n" + by(steps, "device", [](const MeasuredStep& step) { return step.device; });
  text += "\n## By network\n\n" + by(steps, "network", [](const MeasuredStep& step) { return step.network; });
  text +=
      "\n## What was not seen\n\n"
      "The fit repeated without one device, or without one family of networks, and held against what was left "
      "out.\n\n" +
      left_out("device") + "\n" + left_out("network") + scaling;
  text +=
      "\n## Notes\n\n"
      "- PyTorch rows: batch 12 a GPU, forward and backward, samples copied to the device, no update. Repeated\n"
      "  measurements are taken at their median. Several GPUs: DataParallel, one process.\n"
      "- The f32 rows of four Titan Xp are mostly two to four times slower than the f16 rows of the same host. The "
      "cause is\n"
      "  not known. They are counted, and they are the worst. The fit pushes hard against rows beyond 2.45×, so these "
      "rows\n"
      "  draw all predictions for four GPUs upwards: those are too high by more than they would be without them.\n"
      "- Three 2080 Ti copy parameters at a third of the rate of two or four.\n"
      "- Torch7 rows: forward and backward, the gradient of the samples included, no loss, no update.\n"
      "- Not compared: rows without cuDNN, rows of other libraries, the T4 run of catsdogs (bound by its loader).\n"
      "- Copies of samples are taken to reach 0.4 of the host link; that number is assumed, not fitted.\n"
      "- The form of the model was chosen with all these rows in view, over about ten rounds, and so was the MX150's. "
      "What\n"
      "  was left out tests the fitted numbers, not the form. Those tables are from fits of half as many iterations, "
      "and\n"
      "  are written by `tools/fit_step_time.py --leave`, not by `make accuracy`: repeat them when the model changes.\n"
      "- Kepler under PyTorch, and newer cards under TensorFlow, have no measured rows here: their shares were set by "
      "hand.\n";
  return text;
}

}  // namespace plimsoll
