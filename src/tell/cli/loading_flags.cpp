#include "tell/cli/loading_flags.h"

#include "tell/cli/disk_flag.h"
#include "tell/cli/numbers.h"

namespace plimsoll {

void LoadingFlags::declare(CLI::App& app) {
  app.add_option("--sample-bytes", sample_bytes,
                 "one sample's file on the disk, e.g. 110KB; samples are in memory without")
      ->type_name("SIZE");
  app.add_option("--decode-rate", decode_rate, "images/s that one core decodes, augmentation included")
      ->type_name("RATE");
  app.add_option("--host-cores", host_cores, "cores that load (default: those of the device's host)")->type_name("N");
  app.add_option("--disk", disk, disk_help())->type_name("DISK");
  app.add_option("--loaders", loaders, "loader workers (default: one for each host core)")->type_name("N");
}

Result<LoadingSetup> LoadingFlags::read() const {
  LoadingSetup setup;
  PLIM_ASSIGN(setup.disk, parse_disk("--disk", disk.empty() ? kDefaultDisk : disk));
  if (!sample_bytes.empty()) {
    PLIM_ASSIGN(setup.sample, parse_bytes("--sample-bytes", sample_bytes));
  }
  if (!decode_rate.empty()) {
    PLIM_ASSIGN(const double rate, parse_number("--decode-rate", decode_rate, 0, Edge::above, 1e12));
    setup.decode_per_core = SamplesPerSecond{rate};
  }
  setup.host_cores = 0;
  if (!host_cores.empty()) {
    PLIM_ASSIGN(setup.host_cores, parse_integer("--host-cores", host_cores, 1, 1'000'000));
  }
  setup.loaders = -1;
  if (!loaders.empty()) {
    PLIM_ASSIGN(setup.loaders, parse_integer("--loaders", loaders, 0, kMostLoaders));
  }
  return setup;
}

}  // namespace plimsoll
