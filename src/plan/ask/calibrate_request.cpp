#include "plan/ask/calibrate_request.h"

#include <memory>

#include "base/rows/named.h"
#include "base/today.h"
#include "base/write_file.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/write_device.h"
#include "plan/verdict/place.h"

namespace plimsoll {
namespace {

Status check(const CalibrateRequest& request) {
  if (!request.device)
    return user_error("no device is given",
                      fmt::format("for example devices calibrate nvidia-rtx-3090 {} 71TFLOPS", named("gemm")));
  const bool numbers = request.gemm || request.bandwidth;
  if (!numbers && request.measured.empty())
    return user_error(fmt::format("nothing that was measured is given, expected {} and {}, or {}", named("gemm"),
                                  named("bandwidth"), named("measured")),
                      fmt::format("for example {} resnet50:64:amp=123ms", named("measured")));
  if (numbers && !request.measured.empty())
    return user_error(
        fmt::format("both measured numbers ({}, {}) and measured runs ({}) are given, expected one of both",
                    named("gemm"), named("bandwidth"), named("measured")));
  if (request.gemm_dtype && !request.gemm)
    return user_error(fmt::format("{} is given without {}, whose format it is", named("gemm_dtype"), named("gemm")));
  if (request.out) PLIM_TRY(check_can_replace(*request.out));
  return {};
}

std::optional<DType> format_of(const CalibrateRequest& request) {
  return request.gemm_dtype ? dtype_named(choice_name(*request.gemm_dtype)) : std::nullopt;
}

// One network's step on the device, kept as long as it is asked about.
struct Step {
  Network network;
  Job job;
  std::unique_ptr<Placing> placing;
};

Result<std::unique_ptr<Step>> step_of(const WrittenRun& run) {
  PLIM_ASSIGN(Network network, load_network(run.model));
  auto step = std::make_unique<Step>(Step{std::move(network), {}, nullptr});
  StepRequest request;
  request.mode = run.mode;
  PLIM_ASSIGN(step->job.step, request.options());
  step->job.network = &step->network;
  step->job.format = run.model.format();
  step->job.framework = Framework::pytorch;
  step->job.layout = run.run.layout;
  step->job.compiled = run.run.compile;
  step->placing = std::make_unique<Placing>(step->job);
  return step;
}

Status fit_runs(const CalibrateRequest& request, const Device& sheet, CalibrateOutcome& outcome) {
  Candidate candidate;
  candidate.whole = candidate.part = sheet;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<MeasuredRun> runs;
  for (const auto& run : request.measured) {
    auto step = step_of(run);
    if (!step.ok()) return std::move(step).error().in(run.text);
    const auto demands = (*step)->placing->demands_on(candidate, run.batch);
    if (!demands.ok()) return Error(demands.error()).in(run.text);
    runs.push_back({run.measured_case(), demands->program, demands->execution, run.step});
    steps.push_back(*std::move(step));
  }
  PLIM_ASSIGN(RunCalibration found, calibrate_from_runs(sheet, runs, today()));
  for (size_t i = 0; i < runs.size(); ++i)
    outcome.runs.push_back({request.measured[i].text, runs[i].step, found.before[i], found.after[i]});
  outcome.median_before = median_error(found.before, runs);
  outcome.median_after = median_error(found.after, runs);
  outcome.device = std::move(found.device);
  return {};
}

}  // namespace

void CalibrateRequest::describe(Fields& fields) {
  fields.add(device, {.name = "device",
                      .subject = Subject::machine,
                      .help = "the device: a name of the catalog, 'this', or the path of a device file",
                      .positional = true});
  fields.add(gemm, {.name = "gemm",
                    .subject = Subject::machine,
                    .help = "measured: what a large matrix product reaches, e.g. 71TFLOPS",
                    .value = "RATE",
                    .unit = "operations a second"});
  fields.add(gemm_dtype, {.name = "gemm_dtype",
                          .subject = Subject::machine,
                          .help = "the number format of that product: f16, bf16, tf32 or f32",
                          .value = "FORMAT",
                          .fallback = "f16 where the device has matrix units for it, else f32"});
  fields.add(bandwidth, {.name = "bandwidth",
                         .subject = Subject::machine,
                         .help = "measured: what a copy of a large tensor reaches, bytes read and written together, "
                                 "e.g. 900GB/s",
                         .value = "RATE",
                         .unit = "bytes a second"});
  fields.add(measured,
             {.name = "measured",
              .subject = Subject::machine,
              .help = "instead: a measured step of PyTorch, NETWORK:BATCH[:FORMAT][:inference]=TIME, also with "
                      ":nhwc, :compile or :512tokens; may be given several times",
              .value = "RUN",
              .separator = 0});
  fields.add(source, {.name = "source",
                      .subject = Subject::output,
                      .help = "how the numbers were measured, for the file",
                      .value = "TEXT",
                      .fallback = "'measured, as given'"});
  fields.add(out, {.name = "out",
                   .subject = Subject::output,
                   .help = "write the device file here",
                   .value = "FILE",
                   .fallback = "only shown",
                   .aliases = {"o"}});
}

Result<CalibrateOutcome> ask_calibrate(const CalibrateRequest& request) {
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const Device sheet, load_device(*request.device));
  CalibrateOutcome outcome;
  if (request.measured.empty()) {
    const DType format = format_of(request).value_or(product_format(sheet));
    PLIM_ASSIGN(outcome.device, calibrated(sheet, {.gemm = request.gemm,
                                                   .format = format,
                                                   .bandwidth = request.bandwidth,
                                                   .source = request.source.value_or("measured, as given"),
                                                   .date = today()}));
    outcome.before = reached_on(sheet, format);
    outcome.after = reached_on(outcome.device, format);
  } else {
    if (sheet.kind != DeviceKind::gpu && sheet.kind != DeviceKind::cpu)
      return calibrated(sheet, {}).error();  // says what is wrong with it
    PLIM_TRY(fit_runs(request, sheet, outcome));
    outcome.before = reached_on(sheet);
    outcome.after = reached_on(outcome.device);
  }
  if (request.out) {
    PLIM_TRY(write_whole_file(*request.out, write_device(outcome.device)));
    outcome.kept_in = *request.out;
  }
  return outcome;
}

}  // namespace plimsoll
