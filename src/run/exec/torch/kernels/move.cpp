// Operations that only move numbers. A piece of a tensor is a view of it, so each is one copy.
#include <numeric>

#include "model/ops/slice_cuts.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

// Some of a row-major tensor's numbers: every n-th along each axis, from a start.
struct Piece {
  Ints sizes, strides;
  int64_t offset = 0;

  TorchTensor of(const TorchTensor& whole) const {
    return call("aten::as_strided", "", whole, sizes, strides, some(offset));
  }
};

void fill(const TorchTensor& tensor, double value) {
  if (tensor.present()) check_call(opened_torch().api().with_numbers.fill(tensor.handle(), value), "fill");
}

bool moves(const TorchSite& site) { return has_dtype(site.input(0).dtype) && site.has_output(0); }

constexpr std::string_view kNoType = "a type that torch does not have";

std::optional<Piece> piece_of(const Shape& whole, const std::vector<SliceCut>& cuts) {
  Piece piece{{}, whole.strides()};
  for (size_t axis = 0; axis < cuts.size(); ++axis) {
    if (cuts[axis].step < 0 && cuts[axis].count > 1) return std::nullopt;
    piece.sizes.push_back(cuts[axis].count);
    piece.offset += cuts[axis].count > 0 ? cuts[axis].start * piece.strides[axis] : 0;
    piece.strides[axis] *= cuts[axis].count > 1 ? cuts[axis].step : 1;
  }
  return piece;
}

}  // namespace

TorchKernel torch_concat(TorchSite& site) {
  if (!moves(site)) return site.decline(kNoType);
  const auto axis = normalise_axis(site.attributes().integer("axis", 1), site.output(0).shape.rank());
  if (!axis.ok()) return site.decline("no such axis");
  return [axis = int64_t{*axis}](const TorchOperands& p) {
    detail::Tensors parts;
    for (const TorchTensor& part : p.inputs) parts.list.push_back(&part);
    call("aten::cat", "out", parts, axis, p.out(0));
  };
}

TorchKernel torch_split(TorchSite& site) {
  if (!has_dtype(site.input(0).dtype)) return site.decline(kNoType);
  const Shape& whole = site.shape(0);
  const auto axis = normalise_axis(site.attributes().integer("axis", 0), whole.rank());
  if (!axis.ok()) return site.decline("no such axis");
  std::vector<Piece> pieces;
  int64_t from = 0;
  const auto types = infer(*site.operation.op, site.call);
  if (!types.ok()) return site.decline("its parts are only known at run time");
  for (const TensorType& type : *types) {
    pieces.push_back({type.shape.dims(), whole.strides(), from * whole.strides()[size_t(*axis)]});
    from += type.shape[*axis];
  }
  return [pieces](const TorchOperands& p) {
    for (size_t i = 0; i < p.outputs.size(); ++i)
      if (p.has_out(i)) copy_into(p.out(i), pieces[i].of(p.in(0)));
  };
}

TorchKernel torch_slice(TorchSite& site) {
  if (!moves(site)) return site.decline(kNoType);
  const auto cuts = slice_cuts(site.call);
  const auto piece = cuts.ok() ? piece_of(site.shape(0), *cuts) : std::nullopt;
  if (!piece) return site.decline("backward steps, or only known at run time");
  return [piece = *piece](const TorchOperands& p) { copy_into(p.out(0), piece.of(p.in(0))); };
}

// dy, and the settings of the slice → dx: zeros around dy.
TorchKernel torch_slice_grad(TorchSite& site) {
  if (!moves(site) || !is_floating(site.input(0).dtype)) return site.decline(kNoType);
  const TensorType& whole = site.output(0);
  std::vector<const TensorType*> types{&whole};
  std::vector<const Tensor*> constants{nullptr};
  for (size_t i = 1; i < site.call.input_count(); ++i) {
    types.push_back(site.call.has(i) ? &site.call.type(i) : nullptr);
    constants.push_back(site.call.constant(i));
  }
  const auto cuts = slice_cuts(OpCall(site.attributes(), types, constants, 1));
  const auto piece = cuts.ok() ? piece_of(whole.shape, *cuts) : std::nullopt;
  if (!piece) return site.decline("backward steps, or only known at run time");
  return [piece = *piece](const TorchOperands& p) {
    fill(p.out(0), 0);
    copy_into(piece.of(p.out(0)), p.in(0));
  };
}

TorchKernel torch_transpose(TorchSite& site) {
  if (!moves(site)) return site.decline(kNoType);
  Ints order = site.attributes().integers("perm");
  if (order.empty()) {
    order.resize(size_t(site.shape(0).rank()));
    std::iota(order.rbegin(), order.rend(), 0);
  }
  return [order](const TorchOperands& p) { copy_into(p.out(0), call("aten::permute", "", p.in(0), order)); };
}

// A copy repeats what is to be repeated.
TorchKernel torch_expand(TorchSite& site) {
  if (!moves(site)) return site.decline(kNoType);
  return [](const TorchOperands& p) { copy_into(p.out(0), p.in(0)); };
}

// Constant borders; negative ones cut off.
TorchKernel torch_pad(TorchSite& site) {
  if (!moves(site) || !site.of_floats()) return site.decline(kNoType);
  if (site.attributes().text("mode", "constant") != "constant")
    return site.decline("padding with other numbers than a constant");
  const auto pads = site.call.integers(site.attributes().has("paddings") ? "paddings" : "pads", 1);
  const Shape &from = site.shape(0), &to = site.output(0).shape;
  const auto rank = size_t(from.rank());
  if (site.has_input(3) || !pads.ok() || !*pads || (*pads)->size() != 2 * rank)
    return site.decline("pads of some axes, or only known at run time");
  const Tensor* given = site.call.constant(2);
  if (site.has_input(2) && !given) return site.decline("its value is only known at run time");
  const double value = given && given->size() == 1 ? given->doubles()[0] : site.attributes().number("value", 0);
  std::vector<SliceCut> read, written;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t begin = (**pads)[i], end = (**pads)[i + rank], size = from[int(i)];
    const int64_t kept = std::max<int64_t>(0, size + std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0));
    read.push_back({std::max<int64_t>(-begin, 0), 1, kept});
    written.push_back({std::max<int64_t>(begin, 0), 1, kept});
  }
  return [value, read = *piece_of(from, read), written = *piece_of(to, written)](const TorchOperands& p) {
    fill(p.out(0), value);
    copy_into(written.of(p.out(0)), read.of(p.in(0)));
  };
}

}  // namespace plimsoll
