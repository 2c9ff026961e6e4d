// Products of matrices. A transposed matrix is a view: nothing is copied for it.
#include "run/exec/torch/kernels/narrow.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

// The last two axes exchanged where that is asked for.
TorchTensor turned(const TorchTensor& x, bool turn) {
  return turn ? call("aten::transpose", "int", x, -2, -1) : call("aten::alias", "", x);
}

// out = beta · c + alpha · a · b; c may be empty.
void product_into(const TorchTensor& out, const TorchTensor& c, const TorchTensor& a, const TorchTensor& b, double beta,
                  double alpha) {
  if (!call_failure().empty()) return;
  const auto& with = opened_torch().api().with_numbers;
  if (!c.present() && alpha == 1) call("aten::mm", "out", a, b, out);
  else
    check_call(with.add_product(out.handle(), (c.present() ? c : out).handle(), a.handle(), b.handle(),
                                c.present() ? beta : 0, alpha),
               "addmm");
}

void stacked_product_into(const TorchTensor& out, const TorchTensor& a, const TorchTensor& b, double alpha) {
  if (!call_failure().empty()) return;
  if (alpha == 1) call("aten::bmm", "out", a, b, out);
  else
    check_call(
        opened_torch().api().with_numbers.add_products(out.handle(), out.handle(), a.handle(), b.handle(), 0, alpha),
        "baddbmm");
}

// The same in a narrower format, by aten::mm, aten::bmm or aten::matmul.
void narrow_product_into(const NarrowFormat& format, const char* product, const TorchTensor& out, const TorchTensor& c,
                         const TorchTensor& a, const TorchTensor& b, double beta, double alpha) {
  const auto left = format.operand(a), right = format.operand(b);
  TorchTensor y = NarrowFormat::widened(call(product, "", left.numbers, right.numbers), left, right);
  if (alpha != 1) y = multiply(y, alpha);
  if (c.present()) y = add(y, c, beta);
  copy_into(out, y);
}

Ints as_rows(const Shape& shape) {
  const int64_t columns = shape[shape.rank() - 1];
  return {shape.elements(0, shape.rank() - 1).value(), columns};
}

Ints as_stack(const Shape& shape) {
  const int rank = shape.rank();
  return {shape.elements(0, rank - 2).value(), shape[rank - 2], shape[rank - 1]};
}

Ints leading(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

}  // namespace

TorchKernel torch_linear(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const Ints x = as_rows(site.shape(0)), y = as_rows(site.output(0).shape);
  if (const auto narrow = NarrowFormat::of(site))
    return [=, format = *narrow](const TorchOperands& p) {
      narrow_product_into(format, "aten::mm", reshaped(p.out(0), y), p.in(2), reshaped(p.in(0), x), p.in(1), 1, 1);
    };
  return [=](const TorchOperands& p) {
    product_into(reshaped(p.out(0), y), p.in(2), reshaped(p.in(0), x), p.in(1), 1, 1);
  };
}

TorchKernel torch_gemm(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (site.attributes().has("activation")) return site.decline("fused with what follows it");
  const bool turn_a = site.attributes().integer("transA", 0) != 0, turn_b = site.attributes().integer("transB", 0) != 0;
  const double alpha = site.attributes().number("alpha", 1), beta = site.attributes().number("beta", 1);
  if (const auto narrow = NarrowFormat::of(site))
    return [=, format = *narrow](const TorchOperands& p) {
      narrow_product_into(format, "aten::mm", p.out(0), p.in(2), turned(p.in(0), turn_a), turned(p.in(1), turn_b), beta,
                          alpha);
    };
  return [=](const TorchOperands& p) {
    product_into(p.out(0), p.in(2), turned(p.in(0), turn_a), turned(p.in(1), turn_b), beta, alpha);
  };
}

// Stacks of the same sizes at once; all else as torch broadcasts it.
TorchKernel torch_matmul(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const Shape a = site.shape(0), b = site.shape(1), y = site.output(0).shape;
  const auto turns = [&](const char* name, const Shape& shape) {
    return site.attributes().integer(name, 0) != 0 && shape.rank() >= 2;
  };
  const bool turn_a = turns("transA", a), turn_b = turns("transB", b);
  const double alpha = site.attributes().number("alpha", 1);
  if (const auto narrow = NarrowFormat::of(site))
    return [=, format = *narrow](const TorchOperands& p) {
      narrow_product_into(format, "aten::matmul", p.out(0), {}, turned(p.in(0), turn_a), turned(p.in(1), turn_b), 0,
                          alpha);
    };
  if (a.rank() > 2 && b.rank() > 2 && leading(a) == leading(b))
    return [=, a = as_stack(a), b = as_stack(b), y = as_stack(y)](const TorchOperands& p) {
      stacked_product_into(reshaped(p.out(0), y), turned(reshaped(p.in(0), a), turn_a),
                           turned(reshaped(p.in(1), b), turn_b), alpha);
    };
  return [=](const TorchOperands& p) {
    const TorchTensor product = call("aten::matmul", "", turned(p.in(0), turn_a), turned(p.in(1), turn_b));
    p.give(0, alpha == 1 ? call("aten::alias", "", product) : multiply(product, alpha));
  };
}

}  // namespace plimsoll
