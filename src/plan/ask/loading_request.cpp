#include "plan/ask/loading_request.h"

#include "plan/ask/loading_assumed.h"

namespace plimsoll {

Row disk_row() {
  return {.name = "disk", .subject = Subject::loading, .help = disk_help(), .value = "DISK", .fallback = kDefaultDisk};
}

void LoadingRequest::describe(Fields& fields) {
  fields.add(sample_bytes, {.name = "sample_bytes",
                            .subject = Subject::loading,
                            .help = "size of one sample's file on disk, e.g. 110KB",
                            .value = "SIZE",
                            .fallback = "samples are in memory",
                            .unit = "bytes"});
  fields.add(decode_rate, {.name = "decode_rate",
                           .subject = Subject::loading,
                           .help = "images/s that one core decodes and augments",
                           .value = "RATE",
                           .fallback = "11 MB/s of files, where a sample's size is given",
                           .unit = "images per second and core",
                           .least = 0,
                           .most = 1e12,
                           .edge = Edge::above});
  fields.add(host_cores, {.name = "host_cores",
                          .subject = Subject::loading,
                          .help = "CPU cores for loading",
                          .value = "N",
                          .fallback = "those of the device's host",
                          .least = 1,
                          .most = 1e6});
  fields.add(disk, disk_row());
  fields.add(loaders, {.name = "loaders",
                       .subject = Subject::loading,
                       .help = "loader workers",
                       .value = "N",
                       .fallback = "one per host core",
                       .least = 0,
                       .most = double(kMostLoaders)});
}

LoadingSetup LoadingRequest::setup() const {
  LoadingSetup setup;
  setup.disk = disk ? *disk : default_disk();
  setup.sample = sample_bytes.value_or(Bytes(0));
  setup.decode_per_core = decoding_of(*this);
  setup.host_cores = host_cores.value_or(0);
  setup.loaders = loaders.value_or(-1);
  return setup;
}

}  // namespace plimsoll
