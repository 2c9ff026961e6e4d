// LoadingRequest: where samples come from: their files, the disk, decoding, the host's cores and the loader workers.
#pragma once

#include "base/rows/fields.h"
#include "plan/time/disk_text.h"
#include "plan/time/loading_rate.h"

namespace plimsoll {

struct LoadingRequest {
  std::optional<Bytes> sample_bytes;
  std::optional<double> decode_rate;
  std::optional<int64_t> host_cores, loaders;
  std::optional<Disk> disk;

  void describe(Fields& fields);

  // Without any of them nothing is loaded: the samples are in memory. Without host cores they are 0: the device's;
  // without loaders they are -1: one for each core.
  LoadingSetup setup() const;
};

Row disk_row();

}  // namespace plimsoll
