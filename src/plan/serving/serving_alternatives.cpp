#include "plan/serving/serving_alternatives.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kMostDevicesTried = 16;

class Search {
 public:
  Search(const ServingSetup& setup, Bytes line) : setup_(setup), line_(line) {}

  std::vector<ServingAlternative> all() {
    other_weights();
    other_cache();
    if (found_.empty()) both_formats();
    if (const int64_t most = largest_concurrency(setup_, line_); most > 0) {
      ServingSetup fewer = setup_;
      fewer.concurrency = most;
      add(fmt::format("concurrency {}", most), fewer);
    }
    if (const int64_t most = largest_context(setup_, line_); most > 0) {
      ServingSetup shorter = setup_;
      shorter.context = most;
      shorter.prompt = std::min(setup_.prompt, most);
      add(fmt::format("context {}", most), shorter);
    }
    more_devices();
    layers_on_host();
    return found_;
  }

 private:
  std::vector<const WeightFormat*> smaller_formats() const {
    std::vector<const WeightFormat*> smaller;
    const bool gguf = setup_.profile->framework == Framework::llama_cpp;
    const std::vector<std::string_view> names =
        gguf ? std::vector<std::string_view>{"q8_0", "q5_k_m", "q4_k_m", "q3_k_m"}
             : std::vector<std::string_view>{"fp8", "awq"};
    for (const auto name : names)
      for (const auto& format : all_weight_formats())
        if (format.name == name && format.bits < setup_.weights->bits) smaller.push_back(&format);
    return smaller;
  }

  const KvFormat* smaller_cache() const {
    const std::string_view name = setup_.profile->framework == Framework::llama_cpp ? "q8_0" : "fp8";
    for (const auto& format : all_kv_formats())
      if (format.name == name && format.bytes < setup_.kv->bytes) return &format;
    return nullptr;
  }

  bool add(const std::string& change, const ServingSetup& changed) {
    if (!serving_fits(changed, line_)) return false;
    ServingAlternative found{change,       changed.concurrency, changed.context, serving_memory(changed).total(),
                             std::nullopt, changed.devices};
    if (changed.device)
      if (const auto time = step_time(changed, double(changed.context)); time.ok()) found.per_token = time->total;
    found_.push_back(std::move(found));
    return true;
  }

  // The largest format that fits is the nearest.
  void other_weights() {
    for (const WeightFormat* format : smaller_formats()) {
      ServingSetup changed = setup_;
      changed.weights = format;
      if (add(fmt::format("weights {}", format->name), changed)) return;
    }
  }

  void other_cache() {
    const KvFormat* kv = smaller_cache();
    if (!kv) return;
    ServingSetup changed = setup_;
    changed.kv = kv;
    add(fmt::format("kv {}", kv->name), changed);
  }

  void both_formats() {
    const KvFormat* kv = smaller_cache();
    for (const WeightFormat* format : smaller_formats()) {
      ServingSetup changed = setup_;
      changed.weights = format;
      if (kv) changed.kv = kv;
      const std::string change = fmt::format("weights {}, kv {}", format->name, changed.kv->name);
      if (add(change, changed)) return;
      changed.concurrency = largest_concurrency(changed, line_);
      if (changed.concurrency > 0) {
        add(fmt::format("{}, concurrency {}", change, changed.concurrency), changed);
        return;
      }
    }
  }

  void more_devices() {
    std::vector<int64_t> degrees = possible_tensor_parallel(*setup_.network, kMostDevicesTried);
    if (setup_.profile->splits_layers) degrees = {2, 3, 4, 6, 8, 12, 16};
    for (const int64_t devices : degrees) {
      if (devices <= setup_.devices) continue;
      ServingSetup changed = setup_;
      changed.devices = devices;
      const char* how = setup_.profile->splits_layers ? "layers" : "every matrix";
      if (add(fmt::format("{} split over {} devices", how, devices), changed)) return;
    }
  }

  void layers_on_host() {
    if (setup_.profile->framework != Framework::llama_cpp || setup_.profile->on != ServedOn::gpu) return;
    for (int64_t layers = 1; layers <= setup_.network->blocks; ++layers) {
      ServingSetup changed = setup_;
      changed.layers_on_host = layers;
      if (add(fmt::format("{} of {} layers on the CPU", layers, setup_.network->blocks), changed)) return;
    }
  }

  const ServingSetup& setup_;
  Bytes line_;
  std::vector<ServingAlternative> found_;
};

}  // namespace

std::vector<ServingAlternative> serving_alternatives(const ServingSetup& setup, Bytes line) {
  return Search(setup, line).all();
}

std::vector<int64_t> possible_tensor_parallel(const ServedNetwork& network, int64_t most) {
  std::vector<int64_t> degrees;
  for (int64_t n = 1; n <= most; ++n)
    if (std::all_of(network.layers.begin(), network.layers.end(),
                    [n](const ServedLayer& layer) { return layer.heads % n == 0; }))
      degrees.push_back(n);
  return degrees;
}

}  // namespace plimsoll
