// ServingSetup: one way to serve a network on one kind of device: what is asked, in one place.
#pragma once

#include "plan/devices/device.h"
#include "plan/serving/serving_profile.h"
#include "plan/serving/weight_format.h"
#include "plan/time/link.h"

namespace plimsoll {

inline constexpr int64_t kLongestContext = 1 << 24;   // tokens of a sequence
inline constexpr int64_t kMostSequences = 1'000'000;  // served at the same time
inline constexpr int64_t kMostServingDevices = 1024;
inline constexpr int64_t kDefaultContext = 4096;
inline constexpr int64_t kDefaultPrompt = 1024, kDefaultOutput = 256;

struct ServingSetup {
  const ServedNetwork* network = nullptr;
  const WeightFormat* weights = nullptr;
  const KvFormat* kv = nullptr;
  const ServingProfile* profile = nullptr;
  std::optional<Device> device;       // absent: only a size of memory is known
  std::optional<Device> host;         // the CPU beside a GPU, where layers are kept there
  int64_t devices = 1;                // that share the network
  int64_t context = kDefaultContext;  // tokens of a sequence, prompt and answer
  int64_t prompt = kDefaultContext;   // of these read at once
  int64_t concurrency = 1;            // sequences at the same time
  int64_t layers_on_host = 0;
  std::optional<int64_t> tokens_at_once;  // of a prompt; absent: as the program does by default
  bool all_logits = false;  // scores of every token of the prompt, as transformers computed them before 4.45

  bool by_tensor() const { return devices > 1 && !profile->splits_layers; }
};

}  // namespace plimsoll
