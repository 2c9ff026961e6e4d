// Where lowering computes every operation once, the search for the largest batch tries few batches, and none that is
// far too large.
#include <gtest/gtest.h>

#include <set>

#include "model/optim/all_optimizers.h"
#include "plan/memory/lowering.h"
#include "plan/verdict/fit.h"
#include "plan/verdict/load_line.h"
#include "tests/zoo_network.h"

namespace plimsoll {
namespace {

// Each operation takes as much scratch memory as it writes.
class ScratchRules : public SizeRules {
 public:
  Bytes storage(const Program& program, ValueId id) const override { return plain_size_rules().storage(program, id); }
  Bytes workspace(const Program& program, size_t index) const override {
    Bytes bytes;
    for (const ValueId id : program.operations[index].outputs)
      if (program.value(id).type) bytes += program.value(id).type->bytes();
    return bytes;
  }
  Bytes fixed(const Program&) const override { return Bytes(50 << 20); }
};

class TriedLowered : public Lowered {
 public:
  using Lowered::Lowered;
  const SizeRules& rules() const override { return rules_; }

 private:
  ScratchRules rules_;
};

class TriedLowering : public Lowering {
 public:
  Result<std::unique_ptr<Lowered>> lower(Program step) const override {
    tried.insert(step.batch);
    return std::unique_ptr<Lowered>(std::make_unique<TriedLowered>(std::move(step)));
  }
  std::string name() const override { return "tried"; }
  bool tries_kernels() const override { return true; }

  mutable std::set<int64_t> tried;
};

Bytes peak_at(FitQuestion question, int64_t batch) {
  question.batch = batch;
  const auto answer = fit(question);
  return answer.ok() ? answer->load.peak.expected : Bytes(0);
}

TEST(TriedKernels, TheLargestBatchIsFoundByTryingFewThatFit) {
  for (const char* name : {"lenet5", "fmnist_cnn", "resnet18"}) {
    SCOPED_TRACE(name);
    const TriedLowering lowering;
    const Network network = zoo_network(name);
    FitQuestion question;
    question.network = &network;
    question.step.optimizer = *find_optimizer("momentum");
    question.framework = Framework::plimsoll;
    question.load_line = kLoadLine;
    question.memory = Bytes(int64_t{8} << 30);
    question.alternatives = false;
    question.lowering = &lowering;
    const auto answer = fit(question);
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    const int64_t largest = answer->load.batch;
    EXPECT_LE(lowering.tried.size(), 6U);
    EXPECT_LT(double(*lowering.tried.rbegin()), 2.1 * double(largest));
    const Bytes line(int64_t(0.8 * 8 * (int64_t{1} << 30)));
    EXPECT_LE(peak_at(question, largest), line);
    EXPECT_GT(peak_at(question, largest + largest / 50 + 2), line);
  }
}

}  // namespace
}  // namespace plimsoll
