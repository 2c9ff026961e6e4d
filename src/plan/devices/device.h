// Device: a GPU, a CPU, a node of several, or a rented instance, as the catalog describes it.
//
// Every figure is of the whole device (both sockets, all cores) unless its comment says otherwise. What is
// unknown is absent. `figures` keeps every number as it was written, with its unit, source and date.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/units.h"
#include "plan/devices/conv_rates.h"
#include "plan/devices/memory_bound_rates.h"

namespace plimsoll {

enum class DeviceKind { gpu, cpu, node, instance };

std::string_view name_of(DeviceKind kind);

struct Watts {
  double value = 0;
  auto operator<=>(const Watts&) const = default;
};

struct Dollars {
  double value = 0;
  auto operator<=>(const Dollars&) const = default;
};

struct DollarsPerHour {
  double value = 0;
  auto operator<=>(const DollarsPerHour&) const = default;
};

using ImagesPerSecond = Rate<struct ImagesUnit>;

// One number of the file, as written there.
struct Figure {
  std::string field;  // "memory", "peak.f32"
  double value = 0;
  std::string unit;
  std::string source;  // a key of `sources`, or "derived: …"
  std::string date;    // its own, else its source's; empty when derived
  std::string note;    // may be empty
};

struct Source {
  std::string key, title, date;
};

// What a node or an instance is made of: whole devices, or a number of threads of a CPU.
struct Contained {
  std::string device;
  int64_t count = 0;    // 0 when it is a share
  int64_t threads = 0;  // 0 when it is whole; may be of several sockets
};

struct Device {
  std::string name, title, vendor;
  DeviceKind kind = DeviceKind::gpu;
  std::string generation, released, compute_capability, note;  // empty when not given
  std::string ecc;  // where checksums of the memory are: "inline" with the data, "sideband" in memory of their own
  std::vector<std::string> aliases, instruction_sets;

  // Of a node or instance: the host's. Of an integrated GPU: shared with the CPU.
  std::optional<Bytes> memory, memory_max;
  std::optional<BytesPerSecond> memory_bandwidth;

  std::optional<Count> cores;         // CUDA cores, stream processors, CPU cores
  std::optional<Count> units;         // multiprocessors, compute units
  std::optional<Count> tensor_cores;  // or matrix cores
  std::optional<Count> threads, sockets;
  std::optional<double> f32_per_cycle;  // operations of one core
  std::optional<Hertz> base_clock, boost_clock;
  std::optional<Hertz> vector_clock;  // all cores in vector code, where published

  // Operations per second, dense. A GPU's at its boost clock; a CPU's at its vector clock, else its base clock.
  std::map<DType, FlopsPerSecond> peak;             // of the general units
  std::map<DType, FlopsPerSecond> matrix_peak;      // of tensor cores, matrix cores, AMX; with f32 accumulation
  std::map<DType, FlopsPerSecond> core_peak;        // of one core while the others rest; measured
  std::map<DType, FlopsPerSecond> gemm_rate;        // that a large product reaches on a GPU; measured
  std::optional<BytesPerSecond> reached_bandwidth;  // that a copy of a large tensor reaches on a GPU; measured

  std::optional<Bytes> l1_cache;                                           // data, of one core or multiprocessor
  std::optional<Bytes> l2_cache, l3_cache;                                 // L2: of one core of a CPU, of a whole GPU
  std::optional<BytesPerSecond> l1_bandwidth, l2_bandwidth, l3_bandwidth;  // reading, of all cores together
  std::optional<BytesPerSecond> core_bandwidth;                            // of memory, for one core alone
  std::optional<Watts> tdp;

  std::optional<BytesPerSecond> disk_read, disk_write;  // in order, past the page cache
  // One core decoding a JPEG of about 500x375; and augmenting it to 256x256 as well.
  std::optional<ImagesPerSecond> decode_rate, decode_rate_augmented;

  // Of our engine's kernels, with all cores; measured.
  ConvRates conv_rates;
  MemoryBoundRates memory_bound_rates;

  std::optional<BytesPerSecond> host_link;    // to the host's memory, each way
  std::optional<BytesPerSecond> device_link;  // to its peers, of each device, each way
  std::optional<BytesPerSecond> network;      // of the whole node, each way

  std::optional<Dollars> price;  // its date is in the figure "price"
  std::optional<DollarsPerHour> price_per_hour;

  std::vector<Contained> contains;
  std::vector<Source> sources;
  std::vector<Figure> figures;

  const Figure* figure(std::string_view field) const;

  // The fastest way to compute products in this format: matrix units if they have it, else the general ones.
  std::optional<FlopsPerSecond> product_peak(DType type) const;
};

}  // namespace plimsoll
