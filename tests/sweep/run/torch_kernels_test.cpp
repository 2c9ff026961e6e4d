// Every operation of all_ops and every backward operation of its gradient rule: what libtorch's kernels compute on the
// processor (torch:cpu) is what the reference maths does, on inputs that stay and on ones that results may be written
// over. Operations without a kernel run by the reference maths itself, through copies.
#include "model/optim/all_optimizers.h"
#include "run/exec/torch/torch_backend.h"
#include "tests/operation_case.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

constexpr double kTolerance = 1e-4;  // of the largest number of a tensor

struct ComputedIn {
  const char* format = "f32";
  double tolerance = kTolerance;
};

bool try_ranges(const Op& op, const OpExample& example, CaseSource source, const ComputedIn& how = {}) {
  for (const auto& range : kNumberRanges) {
    const OperationCase probe(op, example, source, range);
    if (!probe.good()) continue;
    auto executor = make_executor(torch_backend(), probe.program(), engine_in(how.format));
    EXPECT_TRUE(executor.ok()) << executor.error().line();
    if (executor.ok()) compare_outputs(probe, **executor, how.tolerance);
    return true;
  }
  return false;
}

// The third step of an optimizer: before the first there are no moments.
OpExample at_a_step(const Op& op, OpExample example) {
  if (op.kind == OpKind::update) example.inputs.back().constant = std::make_shared<const Tensor>(integer_scalar(3));
  return example;
}

std::vector<const Op*> ops_to_run() {
  std::vector<const Op*> ops;
  for (const Op* op : all_ops()) {
    if (op->reference && op->control == Control::none && !op->data_dependent && !op->random) ops.push_back(op);
    if (op->training) ops.push_back(&op->training());
  }
  for (const Optimizer* optimizer : all_optimizers()) ops.push_back(&optimizer->update());
  return ops;
}

class TorchKernels : public testing::TestWithParam<const Op*> {};

TEST_P(TorchKernels, ComputeWhatTheReferenceDoes) {
  PLIM_NEEDS_TORCH();
  const Op& op = *GetParam();
  bool ran = false;
  for (const auto& example : op.examples())
    for (const int64_t factor : {1, 8})
      for (const CaseSource source : {CaseSource::outside, CaseSource::dying}) {
        SCOPED_TRACE(std::string(op.name) + ": " + example.what + ", channels times " + std::to_string(factor) +
                     ", source " + std::to_string(int(source)));
        ran = try_ranges(op, at_a_step(op, widened(example, factor)), source) || ran;
        if (HasFailure()) return;
      }
  EXPECT_TRUE(ran || op.gradient == no_gradient) << "no example of " << op.name << " runs";
}

// Of the largest number: eight and eleven digits of each operand are left.
constexpr ComputedIn kNarrow[] = {
    {"bf16", 2e-2}, {"f16", 2e-3}, {"channels-last", kTolerance}, {"bf16,channels-last", 2e-2}};

class TorchNarrowKernels : public testing::TestWithParam<const char*> {};

TEST_P(TorchNarrowKernels, ComputeWhatTheReferenceDoesWithFewerDigits) {
  PLIM_NEEDS_TORCH();
  const Op& op = op_named(GetParam());
  for (const auto& example : op.examples())
    for (const ComputedIn& how : kNarrow) {
      SCOPED_TRACE(std::string(example.what) + " in " + how.format);
      try_ranges(op, example, CaseSource::outside, how);
      if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Products, TorchNarrowKernels, testing::Values("conv", "gemm", "linear", "matmul"),
                         [](const auto& info) { return std::string(info.param); });

INSTANTIATE_TEST_SUITE_P(AllOps, TorchKernels, testing::ValuesIn(ops_to_run()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
