#include "plan/time/link.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"

namespace plimsoll {
namespace {

// What collectives reach of a rate, and how long one round of a ring takes.
constexpr double kNvlinkShare = 0.8;        // NCCL: 235 of 300 GB/s on A100, 370 of 450 GB/s on H100
constexpr double kPcieShare = 0.78;         // as copies do (transfer.cpp)
constexpr double kEthernetShare = 0.94;     // TCP's 1,448 of 1,538 bytes of a frame
constexpr double kFastEthernetShare = 0.8;  // from 100 Gbit/s on the hosts' cores have their part in it: an estimate
constexpr double kInfiniBandShare = 0.91;   // NCCL: 91 GB/s over four links of 25 GB/s
constexpr double kSharedMemory = 0.25;      // of its bandwidth: written, read, read and written again; an estimate
constexpr Seconds kSharedMemoryRound{1e-6};
constexpr Seconds kNvlinkRound{3.4e-6}, kPcieRound{5.7e-6}, kInfiniBandRound{9.6e-6};  // NCCL's own model

constexpr const char* kNvlinkSource =
    "NVIDIA data sheet; share: nccl-tests issue 212, 2024-05; latency: NCCL 2.9 tuning.cc, 2021";
constexpr const char* kPcieSource =
    "derived: 16 lanes × GT/s × 128/130 / 8; share: measured copies; latency: NCCL 2.9 tuning.cc, 2021";
constexpr const char* kEthernetSource =
    "IEEE 802.3; share: 1,448 of 1,538 bytes of a frame; latency: an estimate, half of a usual TCP round trip";
constexpr const char* kFastEthernetSource = "IEEE 802.3; share and latency: estimates";
constexpr const char* kInfiniBandSource =
    "InfiniBand Trade Association roadmap; share: nccl-tests issue 100, 2022-01; latency: NCCL 2.9 tuning.cc, 2021";

const std::vector<Link>& links() {
  static const std::vector<Link> kLinks = {
      {"pcie3", "PCIe 3.0 x16", {15.75e9}, kPcieRound, kPcieShare, kPcieSource},
      {"pcie4", "PCIe 4.0 x16", {31.5e9}, kPcieRound, kPcieShare, kPcieSource},
      {"pcie5", "PCIe 5.0 x16", {63e9}, kPcieRound, kPcieShare, kPcieSource},
      {"nvlink1", "NVLink 1, 4 links", {80e9}, kNvlinkRound, kNvlinkShare, kNvlinkSource},
      {"nvlink2", "NVLink 2, 6 links", {150e9}, kNvlinkRound, kNvlinkShare, kNvlinkSource},
      {"nvlink3", "NVLink 3, 12 links", {300e9}, kNvlinkRound, kNvlinkShare, kNvlinkSource},
      {"nvlink4", "NVLink 4, 18 links", {450e9}, kNvlinkRound, kNvlinkShare, kNvlinkSource},
      {"nvlink5", "NVLink 5, 18 links", {900e9}, kNvlinkRound, kNvlinkShare, kNvlinkSource},
      {"1gbe", "Ethernet, 1 Gbit/s", {125e6}, kNetworkLatency, kEthernetShare, kEthernetSource},
      {"10gbe", "Ethernet, 10 Gbit/s", {1.25e9}, kNetworkLatency, kEthernetShare, kEthernetSource},
      {"25gbe", "Ethernet, 25 Gbit/s", {3.125e9}, kNetworkLatency, kEthernetShare, kEthernetSource},
      {"40gbe", "Ethernet, 40 Gbit/s", {5e9}, kNetworkLatency, kEthernetShare, kEthernetSource},
      {"100gbe", "Ethernet, 100 Gbit/s", {12.5e9}, kNetworkLatency, kFastEthernetShare, kFastEthernetSource},
      {"200gbe", "Ethernet, 200 Gbit/s", {25e9}, kNetworkLatency, kFastEthernetShare, kFastEthernetSource},
      {"400gbe", "Ethernet, 400 Gbit/s", {50e9}, kNetworkLatency, kFastEthernetShare, kFastEthernetSource},
      {"ib-fdr", "InfiniBand FDR, 56 Gbit/s", {6.8e9}, kInfiniBandRound, kInfiniBandShare, kInfiniBandSource},
      {"ib-edr", "InfiniBand EDR, 100 Gbit/s", {12.5e9}, kInfiniBandRound, kInfiniBandShare, kInfiniBandSource},
      {"ib-hdr", "InfiniBand HDR, 200 Gbit/s", {25e9}, kInfiniBandRound, kInfiniBandShare, kInfiniBandSource},
      {"ib-ndr", "InfiniBand NDR, 400 Gbit/s", {50e9}, kInfiniBandRound, kInfiniBandShare, kInfiniBandSource},
  };
  return kLinks;
}

Link catalog_link(const Device& device, const char* field, BytesPerSecond rate) {
  const Figure* figure = device.figure(field);
  const std::string note = figure && !figure->note.empty() ? figure->note : human_rate(rate);
  Link link;
  link.name = device.name;
  link.title = fmt::format("{} ({})", note, device.name);
  link.rate = rate;
  link.source = fmt::format("catalog, {} of {}", field, device.name);
  return link;
}

}  // namespace

std::span<const Link> all_links() { return links(); }

Result<Link> find_link(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& link : links()) {
    if (link.name == name) return link;
    known.push_back(link.name);
  }
  const std::string guess = did_you_mean(name, known);
  return user_error(fmt::format("no link is called {}, expected one of {} or a rate", plimsoll::in_quotes(name),
                                fmt::join(known, ", ")),
                    guess.empty() ? "for example 10gbe or 25Gbit/s:30us" : guess);
}

Link link_of_rate(const std::string& name, BytesPerSecond rate, Seconds latency) {
  return {name, fmt::format("link of {}, {}", human_rate(rate), human_time(latency)), rate, latency, 1, "given"};
}

std::optional<Link> link_inside(const Device& part) {
  if (part.device_link) {
    Link link = catalog_link(part, "device_link", *part.device_link);
    link.latency = kNvlinkRound;
    link.share = kNvlinkShare;
    return link;
  }
  if (part.kind == DeviceKind::cpu && part.memory_bandwidth) {
    Link link = catalog_link(part, "memory_bandwidth", {part.memory_bandwidth->per_second * kSharedMemory});
    link.title = "the shared memory of " + part.name;
    link.latency = kSharedMemoryRound;
    return link;
  }
  if (!part.host_link) return std::nullopt;
  Link link = catalog_link(part, "host_link", *part.host_link);
  link.latency = kPcieRound;
  link.share = kPcieShare;
  return link;
}

// What a rented instance has is Ethernet; what a node is sold with is InfiniBand.
std::optional<Link> link_between(const Device& whole) {
  if (!whole.network) return std::nullopt;
  Link link = catalog_link(whole, "network", *whole.network);
  const bool rented = whole.kind == DeviceKind::instance;
  link.latency = rented ? kNetworkLatency : kInfiniBandRound;
  link.share = rented ? kFastEthernetShare : kInfiniBandShare;
  return link;
}

}  // namespace plimsoll
