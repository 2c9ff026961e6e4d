// Attention of one token with a cache of those before it, by a loop of our own.
#include "run/exec/loops/cached_attention.h"

#include <cmath>

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {

// queries, keys, values, position, cached keys, cached values → y, and the caches, in their own memory
std::unique_ptr<Kernel> cached_attention_kernel(Site& site) {
  for (const size_t i : {0, 1, 2, 4, 5})
    if (site.input(i).dtype != DType::f32) return site.decline("not f32");
  const Shape &q = site.input(0).shape, &keys = site.input(4).shape, &values = site.input(5).shape;
  const int64_t heads = site.attributes().integer("num_heads", 1);
  const int64_t kv_heads = site.attributes().integer("kv_num_heads", heads), head = q[2] / heads;
  const double scale = site.attributes().number("scale", 0);
  const CachedAttention attention{q[0],
                                  heads,
                                  kv_heads,
                                  head,
                                  values[2] / kv_heads,
                                  keys[1],
                                  float(scale != 0 ? scale : 1 / std::sqrt(double(head)))};
  if (!site.has_output(1) || !site.has_output(2)) return site.decline("its caches are not kept");
  if (q[0] == 0 || head == 0 || values[2] == 0) return site.decline("an empty tensor");
  site.all_row_major();
  return loop_kernel(
      [attention](const Places& p) {
        cached_attention(attention, *p.in<int64_t>(3),
                         {p.in(0), p.in(1), p.in(2), p.out(1), p.out(2), p.out(0), p.work()});
      },
      Bytes(attention.workspace() * int64_t(sizeof(float))));
}

}  // namespace plimsoll
