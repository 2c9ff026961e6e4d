// plimsoll probe: how fast is this machine? Measures it once and keeps the answer for --device this.
#include "plan/devices/this_device.h"
#include "run/measure/probe_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/probe_report.h"

namespace plimsoll {
namespace {

// How a later call names the machine.
std::string device_name(const TypedVerb<ProbeRequest>& verb, const std::string& path) {
  if (verb.request.out.value_or("").empty()) return std::string(kThisDevice);
  const bool plain = path.find('/') == std::string::npos;  // a bare name would be looked up in the catalog
  return (plain ? "./" : "") + printable(path);
}

Result<int> run_probe(TypedVerb<ProbeRequest>& verb) {
  const bool quiet = verb.output.quiet;
  PLIM_ASSIGN(const ProbeOutcome outcome, ask_probe(verb.request, [quiet](std::string_view what) {
                if (!quiet) fmt::print(stderr, "measuring {} …\n", what);
              }));
  if (verb.output.json) print_document(document_json(kProbeSchema, outcome));
  else
    print_text(fmt::format("{}\nKept in {}. Use it with --device {}.\n", probe_text(outcome.probe),
                           printable(outcome.kept_in), device_name(verb, outcome.kept_in)));
  return int(kExitDone);
}

}  // namespace

Action declare_probe(CLI::App& app) {
  return typed_verb<ProbeRequest>(
      app,
      {.description =
           "Measures this machine: operations per second in each number format, bandwidth of caches and memory, our "
           "engine's\nkernels, the disk, and the decoding of JPEGs; takes about fifteen seconds. The result is kept: "
           "--device this uses\nit, and --conv auto chooses by it. Leave the machine idle meanwhile. Only cores and "
           "memory that this process may\nuse (affinity, cpuset, cgroup) are counted.",
       .footer =
           "Examples:\n  plimsoll probe\n  plimsoll probe --quick --json\n  plimsoll probe --out server.json\n"
           "Kept in $PLIMSOLL_PROBE, else in plimsoll/this.json below $XDG_CACHE_HOME or ~/.cache. 'plimsoll devices "
           "this'\nshows it. A file made with --out is a device file: use it anywhere with --device ./server.json.\n"
           "Exit codes: 0 measured and kept, 2 a mistake in the flags, 4 the place cannot be written.",
       .output = {.json = "one JSON document: operations/s, bytes/s, images/s of one core, bytes",
                  .quiet_help = "no lines about what is being measured"}},
      run_probe);
}

}  // namespace plimsoll
