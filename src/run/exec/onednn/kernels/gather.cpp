// gather (embeddings, tokens, tables of relative places) and its backward pass.
#include "run/exec/loops/gather.h"

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

std::optional<GatherShape> shape_of(const Site& site, const Shape& table) {
  const auto axis = normalise_axis(site.attributes().integer("axis", 0), table.rank());
  if (!axis.ok() || site.input(0).dtype != DType::f32 || site.input(1).dtype != DType::i64) return std::nullopt;
  if (site.output(0).elements() == Count(0) || site.input(0).elements() == Count(0)) return std::nullopt;
  return GatherShape{table.elements(0, *axis).value(), table[*axis], site.input(1).elements().value(),
                     table.elements(*axis + 1, table.rank()).value()};
}

}  // namespace

// table, indices → entries
std::unique_ptr<Kernel> gather_kernel(Site& site) {
  const auto shape = shape_of(site, site.input(0).shape);
  if (!shape) return site.decline("not f32 by i64");
  site.all_row_major();
  return loop_kernel([shape = *shape](const Places& p) { gather(shape, p.in(0), p.in<int64_t>(1), p.out(0)); });
}

// dy, indices → dtable
std::unique_ptr<Kernel> gather_grad_kernel(Site& site) {
  const auto shape = shape_of(site, site.output(0).shape);
  if (!shape) return site.decline("not f32 by i64");
  site.all_row_major();
  return loop_kernel([shape = *shape](const Places& p) { gather_back(shape, p.in(0), p.in<int64_t>(1), p.out(0)); });
}

}  // namespace plimsoll
