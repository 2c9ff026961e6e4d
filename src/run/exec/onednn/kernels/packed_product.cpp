#include "run/exec/onednn/kernels/packed_product.h"

#include <algorithm>
#include <dnnl.hpp>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

// What gemm takes for itself, as measured: machine code for every kind of product at the first one, and for each thread
// a panel of b. So that the panels stay small, b is multiplied by so many columns at a time.
constexpr int64_t kColumns = 2048;
constexpr int64_t kPanelRows = 384;
constexpr Bytes kMachineCode(7 << 20);

class PackedProductKernel : public Kernel {
 public:
  PackedProductKernel(const PackedProduct& product, int threads) : product_(product), threads_(threads) {}

  Bytes library_memory() const override {
    const int64_t panel = std::min(product_.inner, kPanelRows) * std::min(product_.columns, kColumns);
    return kMachineCode + Bytes(int64_t(sizeof(float)) * panel * threads_);
  }
  void prepare(Places places) override { places_ = std::move(places); }
  void run() override {
    if (product_.bias) start_with_bias();
    for (int64_t from = 0; from < product_.columns; from += kColumns)
      multiply(from, std::min(kColumns, product_.columns - from));
  }

 private:
  void start_with_bias() {
    const int64_t columns = product_.columns;
    parallel_items(product_.rows, product_.rows * columns,
                   [&](int64_t row) { std::copy_n(places_.in(2), columns, places_.out(0) + row * columns); });
  }

  void multiply(int64_t from, int64_t count) {
    const auto& [rows, inner, columns, transpose_a, scale, bias, transpose_b] = product_;
    const float* b = places_.in(1) + (transpose_b ? from * inner : from);
    dnnl::error::wrap_c_api(dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', rows, count, inner, scale,
                                       places_.in(0), transpose_a ? rows : inner, b, transpose_b ? inner : columns,
                                       bias ? 1 : 0, places_.out(0) + from, columns),
                            "could not multiply");
  }

  PackedProduct product_;
  int threads_;
  Places places_;
};

}  // namespace

std::unique_ptr<Kernel> packed_product_kernel(const PackedProduct& product, int threads) {
  return std::make_unique<PackedProductKernel>(product, threads);
}

}  // namespace plimsoll
