// plimsoll scale: how far does training scale, and how many workers are worth it?
#include <filesystem>

#include "base/write_file.h"
#include "plan/ask/accuracy_reply.h"
#include "plan/ask/token_scale_reply.h"
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

std::string rendered(const ScaleOutcome& outcome, const OutputFlags& output) {
  const auto& [scaling, forecast, view] = outcome;
  return output.csv        ? scale_csv(*scaling, forecast, view)
         : output.markdown ? scale_markdown(forecast, view)
                           : scale_text(*scaling, forecast, view);
}

Result<int> tell_known(const TypedVerb<ScaleRequest>& verb) {
  const bool links = verb.request.links;
  if (verb.output.json)
    print_document(links ? document_json(kScaleSchema, LinksReply{}) : document_json(kScaleSchema, AccuracyReply{}));
  else print_text(links ? link_table() : accuracy_text());
  return int(kExitDone);
}

Result<int> run_token_scale(const TypedVerb<ScaleRequest>& verb) {
  PLIM_ASSIGN(const TokenScaleOutcome outcome, ask_token_scale(verb.request));
  if (verb.output.json) print_document(document_json(kScaleSchema, outcome));
  else if (verb.output.csv || verb.output.markdown) print_text(shown(token_scale_table(outcome), verb.output));
  else print_text(token_scale_text(outcome));
  return int(outcome.fits() && outcome.aim_met ? kExitDone : kExitNo);
}

Result<int> run_scale(TypedVerb<ScaleRequest>& verb) {
  ScaleRequest& request = verb.request;
  if (request.links || request.accuracy) return tell_known(verb);
  if (!request.model.source.empty()) {
    PLIM_ASSIGN(const bool of_tokens, is_token_scale(request));
    if (of_tokens) return run_token_scale(verb);
  }
  PLIM_TRY(check_plot(verb));
  std::error_code error;
  if (request.noise_scale && std::filesystem::is_directory(*request.noise_scale, error)) {
    PLIM_ASSIGN(request.noise_scale, noise_scale_of_run(*request.noise_scale));
  }
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const Network network, load_network(request.model));
  PLIM_ASSIGN(const ScaleOutcome outcome, ask_scale(request, network));
  if (verb.output.json) print_document(document_json(kScaleSchema, outcome));
  else print_text(rendered(outcome, verb.output));
  if (verb.output.plot) {
    PLIM_TRY(
        write_whole_file(*verb.output.plot, plots_svg(scale_plots(*outcome.scaling, outcome.forecast, outcome.view))));
    if (!verb.output.quiet) fmt::print(stderr, "Drawn in {}.\n", printable(*verb.output.plot));
  }
  return int(outcome.forecast.aim_met ? kExitDone : kExitNo);
}

}  // namespace

Action declare_scale(CLI::App& app) {
  return typed_verb<ScaleRequest>(
      app,
      {.description =
           "How far training scales: the time of a step on 1 to thousands of workers, what of it is exchange of "
           "gradients\nand waiting for samples; with the critical batch the steps, time and money to the same loss, "
           "and how many workers,\nwhich batch and which learning rate to take.",
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
