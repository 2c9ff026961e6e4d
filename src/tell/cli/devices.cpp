// plimsoll devices: which machines are known by name, and what is known of each?
#include <CLI/CLI.hpp>

#include "plan/ask/devices_reply.h"
#include "tell/cli/devices_calibrate.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/device_report.h"

namespace plimsoll {
namespace {

Result<int> run_devices(TypedVerb<DevicesRequest>& verb) {
  PLIM_ASSIGN(const DevicesOutcome outcome, ask_devices(verb.request));
  if (verb.output.json) {
    print_document(document_json(kDevicesSchema, outcome));
    return int(kExitDone);
  }
  if (outcome.one) {
    const bool plain = !verb.output.csv && !verb.output.markdown;
    const std::string heading = plain ? device_heading(outcome.devices[0]) + "\n" : "";
    print_text(heading + shown(figures_table(outcome.devices[0]), verb.output));
    return int(kExitDone);
  }
  PLIM_ASSIGN(const Table table, devices_table(outcome.devices));
  print_text(shown(table, verb.output));
  return int(kExitDone);
}

}  // namespace

Action declare_devices(CLI::App& app) {
  const CLI::App* calibrate = app.add_subcommand("calibrate");
  const Action calibrates = calibrate_command(*app.get_subcommand("calibrate"));
  const Action lists = typed_verb<DevicesRequest>(
      app,
      {.description =
           "The devices known by name: memory, speed and price; with NAME, every figure of that device and its "
           "source.\nMemory, bandwidth and peaks of a node or an instance are those of each of its GPUs.",
       .footer = "Examples:\n"
                 "  plimsoll devices nvidia-t4\n"
                 "  plimsoll devices --kind instance --json\n"
                 "  plimsoll devices ./mine.json\n"
                 "  plimsoll devices calibrate nvidia-rtx-3090 --gemm 71TFLOPS --bandwidth 850GB/s -o mine.json\n"
                 "Exit codes: 0 listed, 2 a mistake in the flags, the name or the file.",
       .output = {.tables = true, .quiet = false, .json = "one JSON document: bytes, bytes/s, hertz, operations/s"}},
      run_devices);
  return [calibrate, calibrates, lists] { return calibrate->parsed() ? calibrates() : lists(); };
}

}  // namespace plimsoll
