// dft, stft and mel_weight_matrix: small signals by hand; ONNX's own cases are in the numeric tests.
#include <limits>

#include "tests/unit/model/ops/op_table.h"

namespace plimsoll::detail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Fourier, ByHand) {
  const auto ramp = f32({1, 4, 1}, {0, 1, 2, 3});
  check({{"whole", "dft", {}, {ramp}, {f32({1, 4, 2}, {6, 0, -2, 2, -2, 0, -2, -2})}},
         {"half", "dft", {{"onesided", int64_t{1}}}, {ramp}, {f32({1, 3, 2}, {6, 0, -2, 2, -2, 0})}},
         {"back",
          "dft",
          {{"inverse", int64_t{1}}},
          {f32({1, 4, 2}, {6, 0, -2, 2, -2, 0, -2, -2})},
          {f32({1, 4, 2}, {0, 0, 1, 0, 2, 0, 3, 0})}},
         {"padded with 0", "dft", {}, {f32({1, 1, 1}, {5}), integer_scalar(2)}, {f32({1, 2, 2}, {5, 0, 5, 0})}},
         {"frames",
          "stft",
          {},
          {ramp, integer_scalar(2), f32({2}, {1, 2})},
          {f32({1, 2, 2, 2}, {2, 0, -2, 0, 8, 0, -4, 0})}}},
        1e-6);
}

TEST(Fourier, CountsFastTransforms) {
  const TensorType signal{DType::f32, {3, 1024, 1}};
  const Attributes none;
  OpCall call(none, {&signal}, {}, 1);
  call.outputs = infer(op_named("dft"), call).value();
  EXPECT_EQ(op_named("dft").cost(call).flops.value(), 3 * 5 * 1024 * 10);
}

TEST(Fourier, MistakesAreRefused) {
  const auto x = f32({1, 4, 1}, {0, 1, 2, 3});
  const auto n = integer_scalar;
  check_refused({{"dft", {}, {f32({3}, {1, 2, 3})}, "expected a last size of 1 or 2"},
                 {"dft", {{"axis", int64_t{2}}}, {x}, "the last axis"},
                 {"dft", {{"axis", kMax}}, {x}, "is outside"},
                 {"dft", {}, {x, n(0)}, "expected one positive number"},
                 {"dft", {}, {x, n(kMax)}, "overflow"},
                 {"dft", {{"inverse", int64_t{1}}, {"onesided", int64_t{1}}}, {x}, "exclude each other"},
                 {"stft", {}, {x, n(0), f32({2}, {1, 1})}, "do not cut"},
                 {"stft", {}, {x, n(1), f32({5}, {1, 1, 1, 1, 1})}, "do not cut"},
                 {"stft", {}, {x, n(1), f32({}, {1}), n(2)}, "expected a vector"},
                 {"stft", {}, {x, n(1), f32({2}, {1, 1}), n(3)}, "do not cut"},
                 {"mel_weight_matrix", {}, {n(0), n(16), n(8192), n(0), n(4096)}, "expected positive numbers"},
                 {"mel_weight_matrix", {}, {n(8), n(kMax), n(8192), n(0), n(4096)}, "overflow"}});
}

}  // namespace
}  // namespace plimsoll::detail
