#include "plan/serving/weight_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr std::string_view kGgml = "ggml's block formats: bits of a block with its scales over its numbers";
constexpr std::string_view kGroups = "groups of 128 numbers with a scale of 16 bits and a zero of as many as a number";
constexpr std::string_view kGroupsOf32 = "groups of 32 with a scale and a zero of 16 bits";
constexpr std::string_view kMxfp4 = "blocks of 32 with a scale of 8 bits";
constexpr std::string_view kPlain = "as stored";

// GGUF's mixes give half of the value and down matrices the next larger format (use_more_bits of llama.cpp's
// quantiser), and the head Q6_K, a table that is both too.
constexpr double kQ2 = 2.625, kQ3 = 3.4375, kQ4 = 4.5, kQ5 = 5.5, kQ6 = 6.5625, kQ8 = 8.5;

// clang-format off
constexpr WeightFormat kFormats[] = {
    {"f32", "32-bit floats", 32, 0, 32, 32, 0, 32, false, DType::f32, kPlain},
    {"bf16", "bfloat16", 16, 0, 16, 16, 0, 16, false, DType::bf16, kPlain},
    {"f16", "16-bit floats", 16, 0, 16, 16, 0, 16, false, DType::f16, kPlain},
    {"fp8", "8-bit floats, a scale a channel", 8, 0, 16, 16, 0, 16, false, DType::f8e4m3, kPlain},
    {"int8", "8-bit integers, a scale a channel", 8, 0, 16, 16, 0, 16, false, DType::i8, kPlain},
    {"int4", "4-bit integers in groups of 128", 4.15625, 0, 16, 16, 0, 16, false, DType::f16, kGroups},
    {"awq", "AWQ, 4 bits in groups of 128", 4.15625, 0, 16, 16, 0, 16, false, DType::f16, kGroups},
    {"gptq", "GPTQ, 4 bits in groups of 128", 4.15625, 0, 16, 16, 0, 16, false, DType::f16, kGroups},
    {"gptq-int8", "GPTQ, 8 bits in groups of 128", 8.1875, 0, 16, 16, 0, 16, false, DType::f16, kGroups},
    {"int4-g32", "4-bit integers in groups of 32", 5, 0, 16, 16, 0, 16, false, DType::f16, kGroupsOf32},
    {"nf4", "bitsandbytes NF4", 4.5, 0, 16, 16, 0, 16, false, DType::f16, "blocks of 64 with a scale of 32 bits"},
    {"mxfp4", "MXFP4 experts, the rest in 8 bits (GGUF)", 4.25, 0, kQ8, kQ8, kQ8, 32, true, DType::i8, kMxfp4},
    {"nvfp4", "NVFP4", 4.5, 0, 16, 16, 0, 16, false, DType::f8e4m3, "blocks of 16 with a scale of 8 bits"},
    {"q2_k", "GGUF Q2_K", kQ2, kQ3, kQ6, kQ2, 0, 32, true, DType::i8, kGgml},
    {"q3_k_m", "GGUF Q3_K_M", kQ3, kQ5, kQ6, kQ3, 0, 32, true, DType::i8, kGgml},
    {"q4_0", "GGUF Q4_0", kQ4, 0, kQ6, kQ4, 0, 32, true, DType::i8, kGgml},
    {"q4_1", "GGUF Q4_1", 5, 0, kQ6, 5, 0, 32, true, DType::i8, kGgml},
    {"q4_k_s", "GGUF Q4_K_S", kQ4, 0, kQ6, kQ4, 0, 32, true, DType::i8, kGgml},
    {"q4_k_m", "GGUF Q4_K_M", kQ4, kQ6, kQ6, kQ4, 0, 32, true, DType::i8, kGgml},
    {"iq4_xs", "GGUF IQ4_XS", 4.25, 0, kQ6, 4.25, 0, 32, true, DType::i8, kGgml},
    {"q5_0", "GGUF Q5_0", kQ5, 0, kQ6, kQ5, 0, 32, true, DType::i8, kGgml},
    {"q5_k_m", "GGUF Q5_K_M", kQ5, kQ6, kQ6, kQ5, 0, 32, true, DType::i8, kGgml},
    {"q6_k", "GGUF Q6_K", kQ6, 0, kQ6, kQ6, 0, 32, true, DType::i8, kGgml},
    {"q8_0", "GGUF Q8_0", kQ8, 0, kQ8, kQ8, 0, 32, true, DType::i8, kGgml},
};
// clang-format on

constexpr KvFormat kKvFormats[] = {{"bf16", 2}, {"f16", 2},       {"f32", 4},      {"fp8", 1},
                                   {"int8", 1}, {"q8_0", 1.0625}, {"q4_0", 0.5625}};

// use_more_bits of llama.cpp's quantiser: the first and the last eighth, and every third between.
bool is_favoured(int64_t layer, int64_t layers) {
  return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

template <class T>
Result<const T*> named_in(std::span<const T> rows, std::string_view name, const std::string& called) {
  std::vector<std::string> known;
  for (const auto& row : rows) {
    if (row.name == name) return &row;
    known.emplace_back(row.name);
  }
  return user_error(fmt::format("{} is {}, expected one of {}", called, in_quotes(name), fmt::join(known, ", ")),
                    did_you_mean(name, known));
}

}  // namespace

std::span<const WeightFormat> all_weight_formats() { return kFormats; }
std::span<const KvFormat> all_kv_formats() { return kKvFormats; }

Result<const WeightFormat*> find_weight_format(std::string_view name, const std::string& called) {
  return named_in(all_weight_formats(), name, called);
}

Result<const KvFormat*> find_kv_format(std::string_view name, const std::string& called) {
  return named_in(all_kv_formats(), name, called);
}

double bits_of(const WeightFormat& format, const ServedNetwork& network, const ServedMatrix& matrix) {
  if (matrix.role == MatrixRole::head) return format.head_bits;
  if (matrix.role == MatrixRole::embedding) return network.tied ? format.head_bits : format.embedding_bits;
  if (format.other_bits > 0 && !matrix.routed()) return format.other_bits;
  const bool may_have_more = matrix.role == MatrixRole::value || matrix.role == MatrixRole::down;
  if (format.more_bits > 0 && may_have_more && is_favoured(matrix.layer, network.blocks)) return format.more_bits;
  return format.bits;
}

double cache_bytes(const ServedNetwork& network, const KvFormat& kv, double tokens, bool expanded, int64_t slack) {
  constexpr double kStateBytes = 4;
  double bytes = 0;
  for (const auto& layer : network.layers) {
    const double numbers = layer.latent > 0 && !expanded ? layer.latent : layer.keys_and_values();
    const double kept = layer.window > 0 ? std::min(tokens, double(layer.window + slack)) : tokens;
    bytes += numbers * kv.bytes * kept + layer.state * kStateBytes;
  }
  return bytes;
}

double cache_bytes_per_token(const ServedNetwork& network, const KvFormat& kv, bool expanded) {
  double bytes = 0;
  for (const auto& layer : network.layers)
    bytes += (layer.latent > 0 && !expanded ? layer.latent : layer.keys_and_values()) * kv.bytes;
  return bytes;
}

}  // namespace plimsoll
