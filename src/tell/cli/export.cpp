// plimsoll export: a network, trained or fresh, as an .onnx file for other programs.
#include "base/text.h"
#include "run/ask/export_reply.h"
#include "tell/cli/typed_verb.h"

namespace plimsoll {
namespace {

std::string said(const ExportOutcome& outcome, int64_t seed) {
  std::string text =
      fmt::format("{}: {}, {} tensors, ONNX opset {}\n", outcome.file, human_bytes(Bytes(outcome.exported.bytes)),
                  with_commas(outcome.exported.tensors), kExportOpset);
  if (outcome.has_data_file())
    text += fmt::format("{}: {} of weights, to be kept beside it\n", outcome.data_file(),
                        human_bytes(Bytes(outcome.exported.weight_bytes)));
  if (outcome.weights == "none") text += "Shapes only, without weights.\n";
  if (outcome.weights == "fresh") text += fmt::format("The weights are fresh, from seed {}.\n", seed);
  return text;
}

Result<int> run_export(TypedVerb<ExportRequest>& verb) {
  PLIM_ASSIGN(const ExportOutcome outcome, ask_export(verb.request));
  if (verb.output.json) print_document(document_json(kExportSchema, outcome));
  else print_text(said(outcome, verb.request.seed));
  return int(kExitDone);
}

}  // namespace

Action declare_export(CLI::App& app) {
  return typed_verb<ExportRequest>(
      app,
      {.description = "Writes a network with its weights as an .onnx file, which other programs can open.",
       .footer = "Example:\n  plimsoll export runs/lenet5-1 -o lenet5.onnx\n"
                 "Exit codes: 0 written, 2 a mistake in the flags or the model, 4 the file could not be written.",
       .output = {.quiet = false},
       .limits = UsualLimits::none},  // weights may be of any size, so writing them has no limit unless one is given
      run_export);
}

}  // namespace plimsoll
