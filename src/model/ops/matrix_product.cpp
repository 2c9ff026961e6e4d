#include "model/ops/matrix_product.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

Shape leading(const Shape& shape) {
  return shape.rank() < 2 ? Shape() : Shape(std::vector<int64_t>(shape.begin(), shape.end() - 2));
}

}  // namespace

Result<MatrixProduct> matrix_product(const Shape& a, const Shape& b) {
  if (a.rank() < 1 || b.rank() < 1)
    return user_error(fmt::format("expected two matrices, found {} and {}", a.text(), b.text()));
  MatrixProduct product;
  product.inner = a[a.rank() - 1];
  if (b[std::max(0, b.rank() - 2)] != product.inner)
    return user_error(fmt::format("{} and {} do not multiply: {} is not {}", a.text(), b.text(), product.inner,
                                  b[std::max(0, b.rank() - 2)]));
  if (a.rank() > 1) product.rows = a[a.rank() - 2];
  if (b.rank() > 1) product.columns = b[b.rank() - 1];
  product.a_batch = leading(a);
  product.b_batch = leading(b);
  auto batch = broadcast(product.a_batch, product.b_batch);
  if (!batch.ok())
    return user_error(
        fmt::format("{} and {} do not multiply: their leading axes do not broadcast", a.text(), b.text()));
  product.batch = *batch;
  product.output = *batch;
  if (a.rank() > 1) product.output.push_back(product.rows);
  if (b.rank() > 1) product.output.push_back(product.columns);
  return product;
}

Cost product_cost(Count outputs, int64_t inner) {
  const Count macs = outputs * inner;
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

}  // namespace plimsoll
