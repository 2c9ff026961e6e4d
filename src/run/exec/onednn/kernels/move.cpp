// Operations that only move numbers: transpose, slice, pad and expand, with their backward passes.
#include "model/ops/adjoint.h"
#include "model/ops/slice_cuts.h"
#include "run/exec/loops/strided.h"
#include "run/exec/loops/sums.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

bool moves_f32(const Site& site) {
  return site.input(0).dtype == DType::f32 && site.input(0).elements() > Count(0) &&
         site.output(0).elements() > Count(0);
}

std::vector<int> order_of(const Site& site) {
  const int rank = site.input(0).shape.rank();
  std::vector<int> order;
  for (const int64_t axis : site.attributes().integers("perm")) order.push_back(int(axis < 0 ? axis + rank : axis));
  if (site.attributes().has("perm")) return order;
  for (int axis = rank; axis-- > 0;) order.push_back(axis);
  return order;
}

// The move of a slice, from whole to part.
std::optional<StridedMove> slice_move(const OpCall& call, const Shape& whole, const Shape& part) {
  const auto cuts = slice_cuts(call);
  if (!cuts.ok()) return std::nullopt;
  const auto from = whole.strides(), to = part.strides();
  StridedMove move;
  for (size_t axis = 0; axis < cuts->size(); ++axis) {
    const SliceCut& cut = (*cuts)[axis];
    move.from += cut.start * from[axis];
    move.axes.push_back({cut.count, cut.count > 1 ? cut.step * from[axis] : 0, to[axis]});
  }
  return merged(std::move(move));
}

bool pads_with_zero(const Site& site) {
  if (site.attributes().text("mode", "constant") != "constant" || site.attributes().number("value", 0) != 0)
    return false;
  if (!site.has_input(2)) return true;
  const auto& constant = site.program.value(site.operation.inputs[2]).constant;
  return constant && constant->size() == 1 && constant->doubles()[0] == 0;
}

// What of x is still there after a border, or what a negative one leaves of it.
std::optional<StridedMove> pad_move(const Site& site) {
  const OpCall call = call_of(site.program, site.operation);
  const Shape &x = site.input(0).shape, &y = site.output(0).shape;
  const auto pads = call.integers(call.attributes.has("paddings") ? "paddings" : "pads", 1);
  if (!pads.ok() || !*pads || (*pads)->size() != 2 * size_t(x.rank()) || site.has_input(3) ||
      call.attributes.has("axes"))
    return std::nullopt;
  const auto from = x.strides(), to = y.strides();
  StridedMove move;
  for (size_t axis = 0; axis < from.size(); ++axis) {
    const int64_t begin = (**pads)[axis], end = (**pads)[axis + from.size()];
    const int64_t count = x[int(axis)] + std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0);
    if (count <= 0) return std::nullopt;
    move.from += std::max<int64_t>(-begin, 0) * from[axis];
    move.to += std::max<int64_t>(begin, 0) * to[axis];
    move.axes.push_back({count, from[axis], to[axis]});
  }
  return merged(std::move(move));
}

StridedMove reversed(StridedMove move) {
  std::swap(move.from, move.to);
  for (StridedAxis& axis : move.axes) std::swap(axis.from, axis.to);
  return move;
}

}  // namespace

// Where the result is a row-major tensor or an image with the channels last as it lies there, nothing is moved. Else by
// oneDNN's reorder, which reads any layout; the result is row-major.
std::unique_ptr<Kernel> transpose_kernel(Site& site) {
  if (!moves_f32(site) || site.input(0).shape.rank() < 2) return site.decline("not f32");
  const std::vector<int> order = order_of(site);
  std::vector<int> places(order.size());  // where each axis goes
  for (size_t i = 0; i < order.size(); ++i) places[size_t(order[i])] = int(i);
  const Layout from = site.layout(0), to = row_major(site.output(0));
  if (!from.described() || !to.described()) return site.decline("more axes than oneDNN describes");
  const Layout turned{from.desc.permute_axes(places)};
  if (turned == to || is_channels_last(turned, site.output(0).shape)) return site.give_view(turned);
  const auto pd = attempt([&] {
    return dnnl::reorder::primitive_desc(onednn_engine(), from.desc.permute_axes(places), onednn_engine(), to.desc,
                                         plain_attributes());
  });
  if (!pd) return site.decline("oneDNN has no such reorder");
  site.need(0, from);
  site.give(0, to);
  return primitive_kernel([pd = *pd] { return dnnl::reorder(pd); },
                          {from_input(DNNL_ARG_FROM, 0, pd->src_desc()), to_output(DNNL_ARG_TO, 0, pd->dst_desc())},
                          pd->scratchpad_desc());
}

std::unique_ptr<Kernel> slice_kernel(Site& site) {
  if (!moves_f32(site)) return site.decline("not f32, or empty");
  const auto move = slice_move(call_of(site.program, site.operation), site.input(0).shape, site.output(0).shape);
  if (!move) return site.decline("its bounds are only known at run time");
  site.all_row_major();
  return loop_kernel([move = *move](const Places& p) { move_numbers(move, p.in(0), p.out(0)); });
}

// dy, the slice's own inputs → dx: zero where nothing was kept
std::unique_ptr<Kernel> slice_grad_kernel(Site& site) {
  if (!moves_f32(site)) return site.decline("not f32, or empty");
  const OpCall call = call_of(site.program, site.operation);
  const ForwardCall forward(call);
  const auto move = slice_move(*forward, site.output(0).shape, site.input(0).shape);
  if (!move) return site.decline("its bounds are only known at run time");
  site.all_row_major();
  const int64_t numbers = site.output(0).elements().value();
  return loop_kernel([move = reversed(*move), numbers](const Places& p) {
    fill_zero(p.out(0), numbers);
    move_numbers(move, p.in(0), p.out(0));
  });
}

std::unique_ptr<Kernel> pad_kernel(Site& site) {
  if (!moves_f32(site) || !pads_with_zero(site)) return site.decline("not f32, or not with zeros");
  const auto move = pad_move(site);
  if (!move) return site.decline("its padding is only known at run time, or leaves nothing");
  site.all_row_major();
  const int64_t numbers = site.output(0).elements().value();
  return loop_kernel([move = *move, numbers](const Places& p) {
    fill_zero(p.out(0), numbers);
    move_numbers(move, p.in(0), p.out(0));
  });
}

std::unique_ptr<Kernel> expand_kernel(Site& site) {
  if (!moves_f32(site)) return site.decline("not f32, or empty");
  const Shape& whole = site.output(0).shape;
  const auto from = repeated_strides(whole, site.input(0).shape), to = whole.strides();
  StridedMove move;
  for (size_t axis = 0; axis < to.size(); ++axis) move.axes.push_back({whole[int(axis)], from[axis], to[axis]});
  site.all_row_major();
  return loop_kernel([move = merged(std::move(move))](const Places& p) { move_numbers(move, p.in(0), p.out(0)); });
}

// What was repeated is added up: sum_kernel's work, which sees the shapes alone.
std::unique_ptr<Kernel> expand_grad_kernel(Site& site) {
  if (!moves_f32(site)) return site.decline("not f32, or empty");
  for (size_t i = 1; i < site.operation.inputs.size(); ++i)
    if (site.has_input(i)) site.need_row_major(i);
  return sum_kernel(site);
}

}  // namespace plimsoll
