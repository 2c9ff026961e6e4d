// Rotary positions by a loop of our own: by tables that are given, or by frequencies, whose angles are computed anew in
// each run.
#include "run/exec/loops/rope.h"

#include <cmath>

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

RopeShape shape_of(const Site& site) {
  const Shape& x = site.input(0).shape;
  const Attributes& attributes = site.attributes();
  const bool heads_first = x.rank() == 4;
  const int64_t heads = heads_first ? x[1] : attributes.integer("num_heads", 1);
  const int64_t head = heads_first ? x[3] : x[2] / heads, turned = attributes.integer("rotary_embedding_dim", 0);
  return {x[0],
          heads_first ? x[2] : x[1],
          heads,
          head,
          (turned == 0 ? head : turned) / 2,
          heads_first,
          attributes.integer("interleaved", 0) != 0,
          attributes.integer("inverse", 0) != 0 ? -1.0F : 1.0F};
}

// By tables of cosines and sines, and a row for each token or one after the other.
std::unique_ptr<Kernel> by_tables(Site& site, const RopeShape& shape) {
  const bool rows = site.has_input(3);
  if (site.input(1).dtype != DType::f32 || site.input(2).dtype != DType::f32 ||
      (rows && site.input(3).dtype != DType::i64))
    return site.decline("tables of another format");
  const int64_t count = site.input(1).elements().value() / shape.half;
  if (count == 0) return site.decline("empty tables");
  site.all_row_major();
  return loop_kernel([shape, count, rows](const Places& p) {
    rope(shape, {p.in(1), p.in(2), count, rows ? p.in<int64_t>(3) : nullptr}, p.in(0), p.out(0));
  });
}

}  // namespace

// x, cosines, sines, rows of them → y
std::unique_ptr<Kernel> rope_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32 || site.input(0).elements() == Count(0))
    return site.decline("not f32, or empty");
  const RopeShape shape = shape_of(site);
  if (shape.half == 0) return site.decline("nothing is rotated");
  if (site.has_input(1)) return by_tables(site, shape);
  site.all_row_major();
  const int64_t angles = shape.sequence * shape.half;
  return loop_kernel(
      [shape, angles, frequencies = site.attributes().numbers("frequencies"),
       scale = site.attributes().number("scale", 1)](const Places& p) {
        float *cosines = p.work(), *sines = cosines + angles;
        for (int64_t i = 0; i < angles; ++i) {
          const double angle = double(i / shape.half) * frequencies[size_t(i % shape.half)];
          cosines[i] = float(scale * std::cos(angle));
          sines[i] = float(scale * std::sin(angle));
        }
        rope(shape, {cosines, sines, shape.sequence, nullptr}, p.in(0), p.out(0));
      },
      Bytes(2 * angles * int64_t(sizeof(float))));
}

}  // namespace plimsoll
