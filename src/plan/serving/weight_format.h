// WeightFormat: how weights are stored when a network is served, in bits a number with the scales of their blocks, and
// which tensors stay in another format. One row a format; KvFormat the same for the cache of keys and values.
#pragma once

#include <span>
#include <string_view>

#include "base/dtype.h"
#include "plan/serving/served_network.h"

namespace plimsoll {

struct WeightFormat {
  std::string_view name, title;
  double bits = 16;      // of a layer's matrices
  double more_bits = 0;  // of half of the value and down matrices, in GGUF's mixes; 0: as the others
  double head_bits = 16;
  double embedding_bits = 16;
  double other_bits = 0;   // of matrices that are no experts, where only experts are quantised; 0: `bits`
  double small_bits = 16;  // norms and biases
  bool gguf = false;
  DType computes = DType::f16;  // on units that have it
  std::string_view source;

  bool quantised() const { return bits < 16; }
};

std::span<const WeightFormat> all_weight_formats();
// By name; the error has the nearest and lists all.
Result<const WeightFormat*> find_weight_format(std::string_view name, const std::string& called);

// Bits of each number of a matrix; `layers` there are.
double bits_of(const WeightFormat& format, const ServedNetwork& network, const ServedMatrix& matrix);

struct KvFormat {
  std::string_view name;
  double bytes = 2;  // a number, with its block's scale
};

std::span<const KvFormat> all_kv_formats();
Result<const KvFormat*> find_kv_format(std::string_view name, const std::string& called);

// What a sequence of so many tokens keeps. `expanded`: keys and values themselves where a latent would do, as
// transformers caches them. `slack`: tokens that a window keeps beyond itself.
double cache_bytes(const ServedNetwork& network, const KvFormat& kv, double tokens, bool expanded, int64_t slack = 0);

// What one more token adds, windows not yet full.
double cache_bytes_per_token(const ServedNetwork& network, const KvFormat& kv, bool expanded);

}  // namespace plimsoll
