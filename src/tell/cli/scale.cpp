// plimsoll scale: how far does training scale, and how many workers are worth it?
#include <filesystem>

#include "plan/ask/scale_verb.h"
#include "run/train/noise_scale_of_run.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/accuracy_report.h"
#include "tell/report/link_table.h"
#include "tell/report/scale_plot.h"
#include "tell/report/scale_report.h"
#include "tell/report/token_scale_report.h"

namespace plimsoll {
namespace {

Status check_plot(const TypedVerb<ScaleRequest>& verb) {
  if (!verb.output.plot || verb.request.workers.numbers.size() > 1) return {};
  return user_error("--plot needs several numbers of workers to draw a line through", "for example --workers 1,2,4");
}

// The folder of a run stands for the noise scale that was measured in it.
Status read_noise_scale(ScaleRequest& request) {
  std::error_code error;
  if (!request.noise_scale || !std::filesystem::is_directory(*request.noise_scale, error)) return {};
  PLIM_ASSIGN(request.noise_scale, noise_scale_of_run(*request.noise_scale));
  return {};
}

std::string text_of(const ScaleOutcome& outcome, const OutputFlags& output) {
  const auto& [scaling, forecast, view] = outcome;
  return output.csv        ? scale_csv(*scaling, forecast, view)
         : output.markdown ? scale_markdown(forecast, view)
                           : scale_text(*scaling, forecast, view);
}

std::string text_of(const TokenScaleOutcome& outcome, const OutputFlags& output) {
  const bool table = output.csv || output.markdown;
  return table ? shown(token_scale_table(outcome), output) : token_scale_text(outcome);
}

std::string text_of(const AccuracyReply&, const OutputFlags&) { return accuracy_text(); }
std::string text_of(const LinksReply&, const OutputFlags&) { return link_table(); }

Result<int> run_scale(TypedVerb<ScaleRequest>& verb) {
  PLIM_TRY(check_plot(verb));
  PLIM_TRY(read_noise_scale(verb.request));
  PLIM_ASSIGN(const AnyScale answer, ask_any_scale(verb.request, {}));
  const int code = tell_answer(kScaleSchema, answer, verb.output,
                               [&](const auto& outcome) { return text_of(outcome, verb.output); });
  if (const auto* outcome = std::get_if<ScaleOutcome>(&answer.outcome))
    PLIM_TRY(write_plot(verb.output,
                        [&] { return plots_svg(scale_plots(*outcome->scaling, outcome->forecast, outcome->view)); }));
  return code;
}

}  // namespace

Action declare_scale(CLI::App& app) {
  return typed_verb<ScaleRequest>(
      app,
      {.description =
           "How far training scales: the time of a step on 1 to thousands of workers, and how much of it goes into "
           "exchanging\ngradients and waiting for samples. Given the critical batch: steps, time and money to reach "
           "the same loss, and how\nmany workers, which batch and which learning rate to use.",
       .footer =
           "Examples:\n"
           "  plimsoll scale resnet50 --device nvidia-dgx-a100 --workers 1..1024 --samples 1281167 --epochs 90 "
           "--reference-batch 256 --critical-batch 15000 --lr 0.1\n"
           "  plimsoll scale vgg16 --device nvidia-t4 --workers 1,2,4,8 --link 10gbe --batch 32 --plot vgg16.svg\n"
           "  plimsoll scale alexnet --device aws-p3.16xlarge --workers 8..128 --noise-scale 4000 --epochs 60 "
           "--deadline 4h\n"
           "  plimsoll scale llama-3.1-70b --device nvidia-dgx-h100 --workers 64,512 --search --tokens 1e12\n"
           "  plimsoll scale resnet18 --device intel-i5-8250u --workers 1,2 --link 1Gbit/s:100us --global-batch 64\n"
           "Exit codes: 0 answered, 1 deadline or budget cannot be met, 2 a mistake in the flags or the file, 4 the "
           "machine failed.",
       .output = {.tables = true, .plot = "draw images/s, time and money against workers into this .svg file"},
       .limits = UsualLimits::some},
      run_scale);
}

}  // namespace plimsoll
