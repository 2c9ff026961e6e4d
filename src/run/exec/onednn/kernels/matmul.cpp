// Matrix products on oneDNN: gemm, matmul and linear, with their transposes as strides, in row-major memory. Weights of
// an inference lie as the product likes them best; in training each of three products would like them otherwise.
#include "run/exec/loops/row_product.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/packed_product.h"

namespace plimsoll {
namespace {

using Desc = dnnl::memory::desc;
constexpr auto kF32 = dnnl::memory::data_type::f32;

// A row-major stack of matrices, seen transposed where asked for. `rank` axes, leading ones added.
Desc matrices(const Shape& shape, size_t rank, bool transposed) {
  Dims dims(rank, 1), strides(rank, 1);
  for (int i = 0; i < shape.rank(); ++i) dims[rank - size_t(shape.rank()) + size_t(i)] = shape[i];
  for (size_t i = rank - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  if (transposed) {
    std::swap(dims[rank - 1], dims[rank - 2]);
    std::swap(strides[rank - 1], strides[rank - 2]);
  }
  return Desc(dims, kF32, strides);
}

// Rows of all leading axes together: what a linear layer sees.
Shape as_rows(const Shape& shape) {
  const int64_t columns = shape[shape.rank() - 1];
  return Shape{shape.elements(0, shape.rank() - 1).value(), columns};
}

struct Product {
  Shape a, b, y;
  bool transpose_a = false, transpose_b = false;
  std::optional<Shape> bias;  // broadcast to y
  float scale = 1;
};

// oneDNN adds a bias of (1 …, columns); a column of numbers, or a scale on it, is not one. Nor is one beside a scaled
// product: oneDNN would scale the sum of both.
bool usable_bias(const Site& site, int64_t columns) {
  if (!site.has_input(2)) return true;
  const Shape& bias = site.input(2).shape;
  return bias.rank() >= 1 && bias[bias.rank() - 1] == columns && bias.elements() == Count(columns) &&
         site.attributes().number("beta", 1) == 1 && site.attributes().number("alpha", 1) == 1;
}

std::optional<Product> product_of(const Site& site) {
  const Attributes& attributes = site.attributes();
  if (site.input(0).shape.rank() < 2 || site.input(1).shape.rank() < 2) return std::nullopt;
  Product product{site.input(0).shape, site.input(1).shape, site.output(0).shape};
  product.transpose_a = attributes.integer("transA", 0) != 0;
  product.transpose_b = attributes.integer("transB", 0) != 0;
  product.scale = float(attributes.number("alpha", 1));
  if (!product.transpose_a && product.b.rank() == 2) {
    product.a = as_rows(product.a);
    product.y = as_rows(product.y);
  }
  if (site.has_input(2)) product.bias = Shape{product.y[product.y.rank() - 1]};
  return product;
}

bool packs_weights(const Site& site, const Product& product) {
  return !site.program.loss.present() && site.is_free(1) && product.y.rank() == 2 && product.b.rank() == 2 &&
         site.program.value(site.operation.inputs[1]).role == Role::parameter;
}

dnnl::matmul::primitive_desc describe(const Product& product, bool packs) {
  const auto rank = size_t(product.y.rank());
  auto attributes = plain_attributes();
  if (product.scale != 1) attributes.set_output_scales(0, {product.scale});
  const Desc a = matrices(product.a, rank, product.transpose_a), y = matrices(product.y, rank, false);
  Desc b = matrices(product.b, rank, product.transpose_b);
  if (packs) b = Desc(b.dims(), kF32, dnnl::memory::format_tag::any);
  const auto desc =
      product.bias ? dnnl::matmul::desc(a, b, matrices(*product.bias, rank, false), y) : dnnl::matmul::desc(a, b, y);
  return {desc, attributes, onednn_engine()};
}

std::optional<PackedProduct> packed_product(const Product& product) {
  if (product.a.rank() != 2 || product.b.rank() != 2) return std::nullopt;
  return PackedProduct{product.y[0],       product.b[product.transpose_b ? 1 : 0],
                       product.y[1],       product.transpose_a,
                       product.scale,      product.bias.has_value(),
                       product.transpose_b};
}

std::optional<RowProduct> one_row(const Product& product) {
  if (product.y.rank() != 2 || product.y[0] != 1 || product.b.rank() != 2 || product.transpose_a) return std::nullopt;
  return RowProduct{product.a[1], product.y[1], product.transpose_b, product.scale};
}

std::unique_ptr<Kernel> row_product_kernel(Site& site, const RowProduct& product) {
  site.all_row_major();
  return loop_kernel([product, bias = site.has_input(2)](const Places& p) {
    row_product(product, p.in(0), p.in(1), bias ? p.in(2) : nullptr, p.out(0));
  });
}

}  // namespace

std::unique_ptr<Kernel> matmul_kernel(Site& site) {
  if (!site.all_f32() || site.attributes().has("activation")) return site.decline("fused, or not f32");
  if (site.output(0).elements() == Count(0)) return site.decline("an empty tensor");
  const auto product = product_of(site);
  if (!product || !usable_bias(site, product->y[product->y.rank() - 1]))
    return site.decline("a form that oneDNN does not multiply");
  if (const auto row = one_row(*product)) return row_product_kernel(site, *row);
  const bool packs = packs_weights(site, *product);
  if (const auto packed = packed_product(*product); !packs && packed && packed->pays()) {
    site.all_row_major();
    return packed_product_kernel(*packed, site.engine.threads);
  }
  const auto pd = attempt([&] { return describe(*product, packs); });
  if (!pd) return site.decline("oneDNN has no such product");
  site.all_row_major();
  if (packs) {
    const Desc weights = pd->weights_desc();
    site.need(1, {product->transpose_b ? weights.permute_axes({1, 0}) : weights});
  }
  std::vector<Argument> arguments{from_input(DNNL_ARG_SRC, 0, pd->src_desc()),
                                  from_input(DNNL_ARG_WEIGHTS, 1, pd->weights_desc()),
                                  to_output(DNNL_ARG_DST, 0, pd->dst_desc())};
  if (product->bias) arguments.push_back(from_input(DNNL_ARG_BIAS, 2, pd->bias_desc()));
  return primitive_kernel([pd = *pd] { return dnnl::matmul(pd); }, std::move(arguments), pd->scratchpad_desc());
}

}  // namespace plimsoll
