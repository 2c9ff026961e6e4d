// Every operation of all_ops and every backward operation of its gradient rule: what the oneDNN backend computes is
// what the reference maths does. Over the op's own examples, as they are and with eight and sixteen times the
// channels; on inputs that come from outside, on ones that die here (so that results may be written over them), and on
// ones that a convolution has left with the channels last or in blocks.
#include <gtest/gtest.h>

#include "model/ops/batch_norm_pieces.h"
#include "model/ops/batch_norm_slice.h"
#include "run/exec/onednn/onednn_backend.h"
#include "tests/operation_case.h"

namespace plimsoll {
namespace {

constexpr double kTolerance = 1e-4;  // of the largest number of a tensor

constexpr CaseSource kSources[] = {CaseSource::outside, CaseSource::dying, CaseSource::inference, CaseSource::training};

void run(const OperationCase& probe, int threads) {
  auto executor = make_executor(onednn_backend(), probe.program(), threads);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  compare_outputs(probe, **executor, kTolerance);
}

bool try_ranges(const Op& op, const OpExample& example, CaseSource source, int threads) {
  for (const auto& range : kNumberRanges) {
    const OperationCase probe(op, example, source, range);
    if (!probe.good()) continue;
    run(probe, threads);
    return true;
  }
  return false;
}

std::vector<const Op*> ops_to_run() {
  std::vector<const Op*> ops{&batch_norm_pieces(), &batch_norm_pieces_train(), &batch_norm_slice_train()};
  for (const Op* op : all_ops()) {
    if (op->reference && op->control == Control::none && !op->data_dependent && !op->random) ops.push_back(op);
    if (op->training) ops.push_back(&op->training());
  }
  return ops;
}

class EveryKernel : public testing::TestWithParam<const Op*> {};

TEST_P(EveryKernel, ComputesWhatTheReferenceDoes) {
  const Op& op = *GetParam();
  bool ran = false;
  for (const auto& example : op.examples()) {
    for (const int64_t factor : {1, 8, 16}) {
      const OpExample wide = widened(example, factor);
      for (const CaseSource source : kSources) {
        SCOPED_TRACE(std::string(op.name) + ": " + example.what + ", channels times " + std::to_string(factor) +
                     ", source " + std::to_string(int(source)));
        ran =
            try_ranges(op, wide, source, factor == 16 ? 2 : 1) || ran;  // threads wait for each other on a busy machine
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_TRUE(ran || op.gradient == no_gradient) << "no example of " << op.name << " runs";
}

INSTANTIATE_TEST_SUITE_P(AllOps, EveryKernel, testing::ValuesIn(ops_to_run()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
