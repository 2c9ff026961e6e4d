// step_time_rows: predictions beside measurements.
//   step_time_rows                a line for every row
//   step_time_rows --parameters   the parameters, for tools/fit_step_time.py
//   step_time_rows --serve        for it too: a line of values in, forward and total of every row out
//   step_time_rows --table | --scaling-table | --document   what `make accuracy` keeps
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <sstream>

#include "tests/accuracy/accuracy_table.h"
#include "tests/accuracy/measured_scaling.h"
#include "tests/accuracy/modern_chapter.h"
#include "tests/accuracy/two_workers.h"

namespace plimsoll {
namespace {

void print_rows(const std::vector<MeasuredStep>& steps, StepPredictor& predict) {
  fmt::print(
      "source,network,device,software,cudnn,dtype,mode,batch,devices,target,forward,total,predicted_forward,"
      "predicted_total\n");
  for (const auto& step : steps) {
    const PredictedStep predicted = predict(step);
    fmt::print("{},{},{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g}\n", step.source, step.network, step.device,
               name_of(step.execution.framework), step.execution.cudnn, name_of(step.execution.dtype),
               step.trains ? "train" : "inference", step.batch, step.devices, int(step.target), step.forward,
               step.total, predicted.forward, predicted.total);
  }
}

void serve(const std::vector<MeasuredStep>& steps, StepPredictor& predict) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream values(line);
    TimeParameters parameters;
    for (const auto& parameter : all_time_parameters()) values >> parameters.*parameter.member;
    std::string out;
    for (const auto& step : steps) {
      const PredictedStep predicted = predict(step, parameters);
      fmt::format_to(std::back_inserter(out), "{:.6g} {:.6g} ", predicted.forward, predicted.total);
    }
    std::cout << out << std::endl;
  }
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  using namespace plimsoll;
  const auto steps = measured_steps();
  StepPredictor predict;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "--parameters") {
    for (const auto& parameter : all_time_parameters())
      fmt::print("{},{:.6g},{:.6g},{:.6g},{:.6g}\n", parameter.name, TimeParameters{}.*parameter.member,
                 parameter.expected, parameter.low, parameter.high);
  } else if (mode == "--table") {
    fmt::print("{}", accuracy_table(compare_steps()));
  } else if (mode == "--scaling-table") {
    fmt::print("{}", scaling_table(compare_steps(), compare_scaling()));
  } else if (mode == "--document") {
    const auto compared = compare_steps();
    fmt::print("{}", accuracy_document(compared, modern_chapter() + scaling_chapter(compared, compare_scaling()) +
                                                     two_workers_chapter(compare_two_workers())));
  } else if (mode == "--serve") {
    serve(steps, predict);
  } else {
    print_rows(steps, predict);
  }
  return 0;
}
