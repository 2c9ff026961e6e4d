#include "tell/cli/devices_calibrate.h"

#include "plan/ask/calibrate_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/calibrate_report.h"

namespace plimsoll {
namespace {

Result<int> run_calibrate(TypedVerb<CalibrateRequest>& verb) {
  PLIM_ASSIGN(const CalibrateOutcome outcome, ask_calibrate(verb.request));
  if (verb.output.json) print_document(document_json(kCalibrateSchema, outcome));
  else print_text(calibrate_text(outcome));
  return int(kExitDone);
}

}  // namespace

Action calibrate_command(CLI::App& app) {
  return typed_verb<CalibrateRequest>(
      app,
      {.description =
           "Writes a device file for your own card: the catalog's figures and the two numbers that no data sheet "
           "gives.\n"
           "Predictions for PyTorch on --device FILE use them. Give what a large product and a large copy reach, or\n"
           "steps that you have measured, to which both are fitted. 'python -m plimsoll.calibrate' measures them with\n"
           "PyTorch and writes the same file.",
       .footer =
           "Examples:\n"
           "  plimsoll devices calibrate nvidia-rtx-3090 --gemm 71TFLOPS --bandwidth 850GB/s -o mine.json\n"
           "  plimsoll devices calibrate nvidia-rtx-3090 --measured resnet50:64:amp=85ms \\\n"
           "    --measured vit_b_16:256:amp:inference=190ms -o mine.json\n"
           "  plimsoll place resnet50 --device ./mine.json\n"
           "Measure after a warm-up and synchronised: the mean of many steps, with the input on the device. Training\n"
           "means SGD with momentum. Large batches say the most; several kinds of networks tell the two numbers "
           "apart.\n"
           "Exit codes: 0 calibrated, 2 a mistake in the flags, the device or the measured runs, 4 the file cannot be\n"
           "written.",
       .output = {.quiet = false, .json = "one JSON document: operations/s, bytes/s, seconds"}},
      run_calibrate);
}

}  // namespace plimsoll
