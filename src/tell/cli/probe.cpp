// plimsoll probe: how fast is this machine? Measures it once and keeps the answer for --device this.
#include "run/ask/probe_reply.h"
#include "tell/cli/print_aside.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/probe_report.h"

namespace plimsoll {
namespace {

// `Outcome`: of this machine, or of a device that PyTorch drives.
template <class Outcome>
int print_outcome(const TypedVerb<ProbeRequest>& verb, const Outcome& outcome) {
  if (verb.output.json) print_document(document_json(kProbeSchema, outcome));
  else
    print_text(fmt::format("{}\nKept in {}. Use it with --device {}.\n", probe_text(outcome.probe),
                           printable(outcome.kept_in), outcome.device_name));
  return int(kExitDone);
}

Result<int> run_probe(TypedVerb<ProbeRequest>& verb) {
  const ProbeProgress progress = [quiet = verb.output.quiet](std::string_view what) {
    if (!quiet) print_aside("measuring {} …\n", what);
  };
  if (verb.request.device.by_torch()) {
    PLIM_ASSIGN(const DeviceProbeOutcome outcome, ask_device_probe(verb.request, progress));
    return print_outcome(verb, outcome);
  }
  PLIM_ASSIGN(const ProbeOutcome outcome, ask_probe(verb.request, progress));
  return print_outcome(verb, outcome);
}

}  // namespace

Action declare_probe(CLI::App& app) {
  return typed_verb<ProbeRequest>(
      app,
      {.description =
           "Measures this machine: operations per second in each number format, bandwidth of caches and memory, our "
           "engine's\nkernels, the disk, and JPEG decoding. It takes about fifteen seconds. The result is kept: "
           "--device this uses it,\nand --conv auto chooses by it. Leave the machine idle while it runs. Only cores "
           "and memory that this process may\nuse (affinity, cpuset, cgroup) are counted.",
       .footer =
           "Examples:\n  plimsoll probe\n  plimsoll probe --quick --json\n  plimsoll probe --out server.json\n"
           "  plimsoll probe --device cuda:0 --out mine.json\n"
           "Kept in $PLIMSOLL_PROBE, else in plimsoll/this.json below $XDG_CACHE_HOME or ~/.cache. 'plimsoll devices "
           "this'\nshows it. A file made with --out is a device file: use it anywhere with --device ./server.json.\n"
           "Exit codes: 0 measured and kept, 2 a mistake in the flags, 4 the file cannot be written.",
       .output = {.json = "one JSON document: operations/s, bytes/s, images/s of one core, bytes",
                  .quiet_help = "do not report progress"}},
      run_probe);
}

}  // namespace plimsoll
