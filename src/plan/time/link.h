// Link: what gradients travel over from worker to worker, by a rate, a latency and the share of the rate that
// collectives reach. Within a node the rate is each device's own; between nodes it is the whole node's.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "plan/devices/device.h"

namespace plimsoll {

struct Link {
  std::string name;     // "10gbe"; of figures that a user gave, those
  std::string title;    // "Ethernet, 10 Gbit/s"
  BytesPerSecond rate;  // each way, as data sheets have it
  Seconds latency;      // of one message
  double share = 1;     // of the rate, with large messages
  std::string source;   // of rate, latency and share

  BytesPerSecond reached() const { return {rate.per_second * share}; }
};

inline constexpr Seconds kNetworkLatency{30e-6};  // where only a rate is known

std::span<const Link> all_links();

// By name; the error lists the names.
Result<Link> find_link(const std::string& name);

// Figures as measured: the rate is reached in full.
Link link_of_rate(const std::string& name, BytesPerSecond rate, Seconds latency);

// What connects a device with others of its kind in one host: its own link to its peers, else the one to the host; of
// CPUs their memory.
std::optional<Link> link_inside(const Device& part);

// What connects a node or an instance with others.
std::optional<Link> link_between(const Device& whole);

}  // namespace plimsoll
