// Entries of a table along an axis, and the gradient of the table. Indices outside take the nearest end.
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// (what is before the axis, along it, what is after it)
Ints around(const Shape& shape, int axis, int64_t entries) {
  return {shape.elements(0, axis).value(), entries, shape.elements(axis + 1, shape.rank()).value()};
}

// Counted from the front, within the table, one after another. A remainder counts negative ones from the end.
TorchTensor flat_indices(const TorchTensor& given, int64_t entries) {
  const TorchTensor indices = call("aten::to", "dtype", given, detail::Type{DType::i64}, false, false, none);
  const TorchTensor first = torch_number(DType::i64, -double(entries)),
                    last = torch_number(DType::i64, double(entries - 1));
  const TorchTensor within = call("aten::clamp", "Tensor", indices, some(first), some(last));
  return reshaped(call("aten::remainder", "Tensor", within, torch_number(DType::i64, double(entries))), {-1});
}

bool are_indices(const TensorType& type) { return type.dtype == DType::i64 || type.dtype == DType::i32; }

}  // namespace

TorchKernel torch_gather(TorchSite& site) {
  if (!has_dtype(site.input(0).dtype) || !are_indices(site.input(1))) return site.decline("a type of other indices");
  const Shape& table = site.shape(0);
  const auto axis = normalise_axis(site.attributes().integer("axis", 0), table.rank());
  if (!axis.ok() || site.output(0).elements() == Count(0)) return site.decline("nothing to gather");
  const int64_t entries = table[*axis], wanted = site.input(1).elements().value();
  const Ints from = around(table, *axis, entries), to = around(table, *axis, wanted);
  return [=](const TorchOperands& p) {
    call("aten::index_select", "out", reshaped(p.in(0), from), 1, flat_indices(p.in(1), entries),
         reshaped(p.out(0), to));
  };
}

// dy, indices → dtable: with the axis first it is an embedding's gradient.
TorchKernel torch_gather_grad(TorchSite& site) {
  if (!site.of_floats() || !site.has_input(1) || !are_indices(site.input(1))) return site.decline("not f32 or f64");
  const Shape& table = site.output(0).shape;
  const auto axis = normalise_axis(site.attributes().integer("axis", 0), table.rank());
  if (!axis.ok() || site.input(0).elements() == Count(0)) return site.decline("nothing was gathered");
  const int64_t entries = table[*axis], wanted = site.input(1).elements().value();
  const Ints from = around(table, *axis, wanted), to = around(table, *axis, entries);
  const int64_t before = from[0], after = from[2];
  return [=, shape = table.dims()](const TorchOperands& p) {
    const TorchTensor first = call("aten::permute", "", reshaped(p.in(0), from), Ints{1, 0, 2});
    const TorchTensor sums = call("aten::embedding_dense_backward", "", reshaped(first, {wanted, before * after}),
                                  flat_indices(p.in(1), entries), entries, int64_t{-1}, false);
    const TorchTensor back = call("aten::permute", "", reshaped(sums, {entries, before, after}), Ints{1, 0, 2});
    if (before == 1) p.give(0, reshaped(back, shape));
    else copy_into(reshaped(p.out(0), to), back);
  };
}

}  // namespace plimsoll
