// The scores of one tile: what is hidden, the bias, what is dropped; and e^x for vectors of them.
#pragma once

#include "run/exec/attention/packed_head.h"

namespace plimsoll {
namespace {

constexpr float kHiddenScore = -__builtin_inff();

// Half as many, of twice the size.
constexpr int kHalf = kLanes / 2;
using Wide = uint64_t __attribute__((vector_size(kHalf * sizeof(uint64_t))));
using HalfWhole = int32_t __attribute__((vector_size(kHalf * sizeof(int32_t))));

// As loops/exponential.h has it: good to about two units in the last place, 0 below -87, infinite above 88.
inline Vec exponential(Vec x) {
  const Vec shifted = x * 1.44269504F + 12582912.0F, n = shifted - 12582912.0F;
  const Vec r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Vec sum = 1.9875691500e-4F * r + 1.3981999507e-3F;
  sum = sum * r + 8.3334519073e-3F;
  sum = sum * r + 4.1665795894e-2F;
  sum = sum * r + 1.6666665459e-1F;
  sum = sum * r + 5.0000001201e-1F;
  sum = sum * r * r + r + 1.0F;
  Whole bits;
  __builtin_memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits + 127) << 23;
  Vec power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  const Vec all = sum * power;
  const Vec up = x > 88.0F ? Vec{} + __builtin_inff() : all;
  return x < -87.0F ? Vec{} : up;
}

// Each number beside the one `distance` lanes away.
template <int distance, int... lanes>
inline Vec exchanged(Vec v, std::integer_sequence<int, lanes...>) {
  return __builtin_shufflevector(v, v, (lanes ^ distance)...);
}
template <int distance>
inline Vec exchanged(Vec v) {
  return exchanged<distance>(v, std::make_integer_sequence<int, kLanes>());
}
inline float largest_of(Vec v) {
  if constexpr (kLanes == 16) v = largest(v, exchanged<8>(v));
  v = largest(v, exchanged<4>(v));
  v = largest(v, exchanged<2>(v));
  return largest(v, exchanged<1>(v))[0];
}
inline float sum_of(Vec v) {
  if constexpr (kLanes == 16) v += exchanged<8>(v);
  v += exchanged<4>(v);
  v += exchanged<2>(v);
  return (v + exchanged<1>(v))[0];
}

inline float product_of_rows(const float* a, const float* b, int64_t numbers) {
  Vec sums{};
  int64_t i = 0;
  for (; i + kLanes <= numbers; i += kLanes) sums += load(a + i) * load(b + i);
  float sum = sum_of(sums);
  for (; i < numbers; ++i) sum += a[i] * b[i];
  return sum;
}

// The finaliser that counter_random.h describes, of many numbers at once.
inline Wide scattered(Wide x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
inline uint64_t scattered(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A head of a sample.
struct HeadScores {
  const TiledAttention& attention;
  int64_t sample, head;
  const float* bias;  // of the whole call, or nullptr
  uint64_t key;
  int64_t tile = tile_of(attention);

  int64_t bias_at(int64_t row) const {
    const TiledAttention& a = attention;
    const int64_t plane = sample % a.bias_samples * a.bias_heads + (a.bias_heads > 1 ? head : 0);
    return (plane * a.sequence + row) * a.seen;
  }

  int64_t queries_from(int64_t first) const { return of_tile(attention.sequence - first); }
  int64_t keys_from(int64_t first) const { return of_tile(attention.seen - first); }
  int64_t of_tile(int64_t rest) const { return rest < tile ? rest : tile; }

  // Whether some query of the tile sees some key of the other.
  bool meets(int64_t first_query, int64_t first_key) const {
    return !attention.causal || first_key <= first_query + tile - 1;
  }

  // Keys that the query sees, of a tile.
  int64_t seen_by(int64_t query, int64_t first_key) const {
    int64_t end = attention.seen;
    if (attention.causal && query + 1 < end) end = query + 1;
    return of_tile(end - first_key);
  }

  // Adds the bias to a row of scores, and hides what the query does not see.
  void finish(float* scores, int64_t query, int64_t first_key) const {
    const int64_t seen = seen_by(query, first_key);
    if (bias) {
      const float* own = bias + bias_at(query) + first_key;
      for (int64_t t = 0; t < seen; ++t) scores[t] += own[t];
    }
    const int64_t vectors = whole_vectors(keys_from(first_key));
    for (int64_t t = seen < 0 ? 0 : seen; t < vectors; ++t) scores[t] = kHiddenScore;
  }

  HalfWhole stays(Wide places) const {
    return __builtin_convertvector((scattered(places ^ key) >> 11) >= attention.threshold, HalfWhole);
  }

  // What each share of a row is multiplied by: 0 or kept_scale.
  Vec kept(int64_t query, int64_t first_key) const {
    const uint64_t place = uint64_t((head * attention.sequence + query) * attention.seen + first_key);
    Wide places;
    for (int i = 0; i < kHalf; ++i) places[i] = place + uint64_t(i);
    const HalfWhole halves[2] = {stays(places), stays(places + uint64_t(kHalf))};
    Whole mask;
    __builtin_memcpy(&mask, halves, sizeof(mask));
    return mask != 0 ? Vec{} + attention.kept_scale : Vec{};
  }
};

}  // namespace
}  // namespace plimsoll
