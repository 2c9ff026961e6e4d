// plimsoll probe: how fast is this machine? Measures it once and keeps the answer for --device this.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "base/write_file.h"
#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/measure/probe.h"
#include "tell/cli/command.h"
#include "tell/report/probe_report.h"

namespace plimsoll {
namespace {

struct ProbeFlags {
  std::string out;
  bool quick = false, json = false, quiet = false;
};

struct Place {
  std::string path, folder;
};

// A place of ours is made; one that the user names must be there.
Result<Place> place_to_keep(const ProbeFlags& flags) {
  const std::string path = flags.out.empty() ? probe_path() : flags.out;
  if (path.empty()) return user_error("there is no home folder to keep the probe in", "say where with --out FILE");
  PLIM_TRY(check_can_replace(path));
  const auto parent = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (flags.out.empty() && !parent.empty()) std::filesystem::create_directories(parent, error);
  if (error)
    return environment_error("cannot be made: " + error.message(), "choose another place with --out FILE")
        .in(printable(parent.string(), 200));
  return Place{path, parent.empty() ? "." : parent.string()};
}

Result<int> run_probe(const ProbeFlags& flags) {
  PLIM_ASSIGN(const Place place, place_to_keep(flags));
  ProbeOptions options{.quick = flags.quick, .folder = place.folder};
  if (!flags.quiet) options.progress = [](std::string_view what) { fmt::print(stderr, "measuring {} …\n", what); };
  PLIM_ASSIGN(const Probe probe, probe_this_machine(options));
  PLIM_TRY(write_whole_file(place.path, write_device(probe_device(probe))));
  if (flags.json) {
    fmt::print("{}", json_text(probe_json(probe, place.path)));
  } else {
    const bool plain = place.path.find('/') == std::string::npos;  // a bare name would be looked up in the catalog
    fmt::print("{}\nKept in {}. Use it with --device {}.\n", probe_text(probe), printable(place.path),
               flags.out.empty() ? std::string(kThisDevice) : (plain ? "./" : "") + printable(place.path));
  }
  return int(kExitDone);
}

}  // namespace

Action declare_probe(CLI::App& app) {
  const auto flags = std::make_shared<ProbeFlags>();
  app.description(
      "Measures this machine: operations per second in each number format, bandwidth of caches and memory, our "
      "engine's\n"
      "kernels, the disk, and the decoding of JPEGs; about fifteen seconds. The answer is kept: --device this uses it, "
      "and\n"
      "--conv auto chooses by it. Let the machine be idle meanwhile. Only cores and memory that this process may use "
      "(affinity, cpuset, cgroup) are counted.");
  app.footer(
      "Example:\n  plimsoll probe\n  plimsoll probe --quick --json\n  plimsoll probe --out server.json"
      "\nKept in $PLIMSOLL_PROBE, else in plimsoll/this.json below $XDG_CACHE_HOME or ~/.cache. 'plimsoll devices this'"
      "\nshows it. A file made with --out is a device file: use it anywhere with --device ./server.json."
      "\nExit codes: 0 measured and kept, 2 a mistake in the flags, 4 the place cannot be written.");
  app.add_flag("--quick", flags->quick, "about five seconds: fewer repetitions, a coarser grid");
  app.add_option("--out", flags->out, "keep it in this file instead");
  app.add_flag("--json", flags->json, "one JSON document: operations/s, bytes/s, images/s of one core, bytes");
  app.add_flag("--quiet", flags->quiet, "no lines about what is being measured");
  return [flags] { return run_probe(*flags); };
}

}  // namespace plimsoll
