#include "run/exec/loops/bins.h"

#include <limits>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

struct Reach {
  int64_t first, last;
};

Reach reach(int64_t bin, int64_t in, int64_t out) { return {bin * in / out, ((bin + 1) * in + out - 1) / out}; }

// f(bin, its reach along each axis) for the bins of one plane.
template <class F>
void for_bins(const Bins& bins, F&& f) {
  int64_t bin = 0;
  for (int64_t i = 0; i < bins.out[0]; ++i)
    for (int64_t j = 0; j < bins.out[1]; ++j)
      for (int64_t k = 0; k < bins.out[2]; ++k, ++bin)
        f(bin, reach(i, bins.in[0], bins.out[0]), reach(j, bins.in[1], bins.out[1]), reach(k, bins.in[2], bins.out[2]));
}

// f(place in the plane)
template <class F>
void for_places(const Bins& bins, Reach a, Reach b, Reach c, F&& f) {
  for (int64_t i = a.first; i < a.last; ++i)
    for (int64_t j = b.first; j < b.last; ++j)
      for (int64_t k = c.first; k < c.last; ++k) f((i * bins.in[1] + j) * bins.in[2] + k);
}

float count_of(Reach a, Reach b, Reach c) {
  return float((a.last - a.first) * (b.last - b.first) * (c.last - c.first));
}

template <class F>
void for_planes(const Bins& bins, F&& f) {
  parallel_items(bins.planes, bins.planes * bins.inside(), f);
}

}  // namespace

void average_bins(const Bins& bins, const float* x, float* y) {
  for_planes(bins, [&](int64_t plane) {
    const float* from = x + plane * bins.inside();
    for_bins(bins, [&](int64_t bin, Reach a, Reach b, Reach c) {
      float sum = 0;
      for_places(bins, a, b, c, [&](int64_t place) { sum += from[place]; });
      y[plane * bins.outside() + bin] = sum / count_of(a, b, c);
    });
  });
}

void average_bins_back(const Bins& bins, const float* dy, float* dx) {
  for_planes(bins, [&](int64_t plane) {
    float* to = dx + plane * bins.inside();
    std::fill(to, to + bins.inside(), 0.0F);
    for_bins(bins, [&](int64_t bin, Reach a, Reach b, Reach c) {
      const float share = dy[plane * bins.outside() + bin] / count_of(a, b, c);
      for_places(bins, a, b, c, [&](int64_t place) { to[place] += share; });
    });
  });
}

template <class Place>
void max_bins(const Bins& bins, const float* x, float* y, Place* places) {
  for_planes(bins, [&](int64_t plane) {
    const float* from = x + plane * bins.inside();
    for_bins(bins, [&](int64_t bin, Reach a, Reach b, Reach c) {
      float largest = -std::numeric_limits<float>::infinity();
      int64_t best = 0;
      for_places(bins, a, b, c, [&](int64_t place) {
        if (!(from[place] > largest)) return;
        largest = from[place];
        best = place;
      });
      y[plane * bins.outside() + bin] = largest;
      if (places) places[plane * bins.outside() + bin] = Place(best);
    });
  });
}

template <class Place>
void max_bins_back(const Bins& bins, const float* dy, const Place* places, float* dx) {
  for_planes(bins, [&](int64_t plane) {
    float* to = dx + plane * bins.inside();
    std::fill(to, to + bins.inside(), 0.0F);
    const int64_t first = plane * bins.outside();
    for (int64_t bin = 0; bin < bins.outside(); ++bin) to[int64_t(places[first + bin])] += dy[first + bin];
  });
}

template void max_bins(const Bins&, const float*, float*, uint16_t*);
template void max_bins(const Bins&, const float*, float*, int32_t*);
template void max_bins(const Bins&, const float*, float*, int64_t*);
template void max_bins_back(const Bins&, const float*, const uint16_t*, float*);
template void max_bins_back(const Bins&, const float*, const int32_t*, float*);
template void max_bins_back(const Bins&, const float*, const int64_t*, float*);

}  // namespace plimsoll
