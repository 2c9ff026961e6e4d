#include "run/train/initialise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "run/exec/backend.h"
#include "run/train/initial_weights.h"
#include "run/train/start_rule.h"

namespace plimsoll {
namespace {

// Keeps what is written; runs nothing.
class Memory : public Executor {
 public:
  explicit Memory(Program step)
      : lowered_(*portable_lowering().lower(std::move(step))),
        plan_(plan_memory(lowered_->program, lowered_->rules())),
        scratch_(size_t(plan_.arena.value())) {}

  const Lowered& lowered() const override { return *lowered_; }
  const MemoryPlan& plan() const override { return plan_; }
  void write(ValueId id, std::span<const std::byte> bytes) override {
    EXPECT_EQ(int64_t(bytes.size()), program().value(id).type->bytes().value());
    EXPECT_GE(bytes.data(), scratch_.data());
    EXPECT_LE(bytes.data() + bytes.size(), scratch_.data() + scratch_.size());
    auto& numbers = written[program().value(id).name];
    numbers.resize(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
  }
  void read(ValueId, std::span<std::byte>) const override {}
  std::span<std::byte> scratch() override { return scratch_; }
  void release() override {}
  void compute() override {}
  void update() override {}
  std::optional<std::string> first_not_finite() override { return std::nullopt; }
  bool finite() const override { return true; }

  std::map<std::string, std::vector<float>> written;

 private:
  std::unique_ptr<Lowered> lowered_;
  MemoryPlan plan_;
  std::vector<std::byte> scratch_;
};

Program step_of(const Graph& graph, int64_t batch = 1) {
  StepOptions options;
  options.optimizer = *find_optimizer("adam");
  auto step = make_step(*bind(graph, {.batch = batch}), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return *std::move(step);
}

float largest(const std::vector<float>& numbers) {
  float most = 0;
  for (const float number : numbers) most = std::max(most, std::fabs(number));
  return most;
}

double deviation(const std::vector<float>& numbers) {
  double sum = 0, squares = 0;
  for (const double number : numbers) sum += number, squares += number * number;
  const double mean = sum / double(numbers.size());
  return std::sqrt(squares / double(numbers.size()) - mean * mean);
}

void expect_all(const std::vector<float>& numbers, float value) {
  ASSERT_FALSE(numbers.empty());
  for (const float number : numbers) ASSERT_EQ(number, value);
}

TEST(Initialise, EveryKindOfTensorByItsReader) {
  Memory memory(step_of(*build_model("resnet18", {.input = Shape{3, 32, 32}, .classes = 10}), 2));
  initialise(memory, 7);
  auto& now = memory.written;
  const double he = std::sqrt(6.0 / (3 * 49));  // conv, batch norm, ReLU
  EXPECT_LE(largest(now["conv1.weight"]), he);
  EXPECT_GT(largest(now["conv1.weight"]), 0.99 * he);
  EXPECT_NEAR(deviation(now["conv1.weight"]), he / std::sqrt(3.0), 0.02 * he);
  const double glorot = std::sqrt(6.0 / (512 + 10));  // nothing follows
  EXPECT_LE(largest(now["fc.weight"]), glorot);
  EXPECT_GT(largest(now["fc.weight"]), 0.99 * glorot);
  expect_all(now["fc.bias"], 0);
  expect_all(now["bn1.weight"], 1);
  expect_all(now["bn1.bias"], 0);
  expect_all(now["bn1.running_mean"], 0);
  expect_all(now["bn1.running_var"], 1);
  expect_all(now["conv1.weight.first_moment"], 0);
  const auto& program = memory.program();
  for (const auto& value : program.values)
    if (value.role == Role::parameter || value.role == Role::buffer) {
      EXPECT_TRUE(now.contains(value.name)) << value.name;
    }
}

// Passes put activations into norms, and norms in the place of concats: a convolution starts as it would without them.
TEST(Initialise, PassesDoNotChangeHowAConvolutionStarts) {
  for (const char* model : {"mobilenet_v2", "googlenet_bn", "densenet121"}) {
    const Graph graph = *build_model(model, {.input = Shape{3, 64, 64}, .classes = 10});
    StepOptions options;
    options.optimizer = *find_optimizer("adam");
    options.fuse = false;
    const Program fused = step_of(graph, 2), plain = *make_step(*bind(graph, {.batch = 2}), options);
    const auto ours = start_rules(fused), expected = start_rules(plain);
    for (size_t i = 0; i < std::min(fused.values.size(), plain.values.size()); ++i) {
      if (fused.values[i].role != Role::parameter && fused.values[i].role != Role::buffer) continue;
      ASSERT_EQ(fused.values[i].name, plain.values[i].name);
      EXPECT_EQ(ours[i].kind, expected[i].kind) << model << ": " << fused.values[i].name;
      EXPECT_EQ(ours[i].scale, expected[i].scale) << model << ": " << fused.values[i].name;
    }
  }
}

TEST(Initialise, TokensAndPositionsAreSmallAndNormal) {
  Builder b("net", Shape{5}, DType::i64);
  ValueId x = b.embedding("words", b.input(), 400, 16);
  x = b.add("add", x, b.parameter("positions", {1, 5, 16}));
  x = b.layer_norm("norm", x);
  x = b.linear("hidden", x, 32);
  x = b.apply("slope", "prelu", {x, b.parameter("slopes", {32})});
  x = b.linear("last", b.flatten("flat", x), 3);
  Memory memory(step_of(*b.finish(x)));
  initialise(memory, 1);
  auto& now = memory.written;
  EXPECT_NEAR(deviation(now["words.weight"]), 0.02, 0.001);
  EXPECT_NEAR(deviation(now["positions"]), 0.02, 0.006);
  expect_all(now["norm.weight"], 1);
  expect_all(now["norm.bias"], 0);
  expect_all(now["slopes"], 0.25F);
  EXPECT_LE(largest(now["hidden.weight"]), std::sqrt(6.0 / 16));  // (inputs, outputs), a PReLU follows
  EXPECT_GT(largest(now["hidden.weight"]), std::sqrt(6.0 / 16) * 0.95);
  EXPECT_GT(largest(now["last.weight"]), std::sqrt(6.0 / (160 + 3)) * 0.95);
}

TEST(Initialise, NumbersFollowFromSeedAndNameAlone) {
  const Program program = *bind(*build_model("lenet5", {}), {});
  const Program other = *bind(*build_model("lenet5", {}), {.batch = 8});
  const InitialWeights a(program, 1), b(other, 1), c(program, 2);
  const auto read = [](const InitialWeights& weights, const std::string& name, int64_t first, size_t count) {
    std::vector<float> numbers(count);
    EXPECT_TRUE(weights.read(name, first, numbers).ok());
    return numbers;
  };
  std::string name;
  for (const auto& value : program.values)
    if (value.role == Role::parameter && value.type->shape.rank() > 1) name = value.name;
  const auto whole = read(a, name, 0, 60);
  EXPECT_EQ(whole, read(b, name, 0, 60));
  EXPECT_NE(whole, read(c, name, 0, 60));
  const auto piece = read(a, name, 20, 30);
  EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + 20));
}

// What a backend makes of a step (layouts, fusions, copies) leaves the rules as they are.
TEST(Initialise, TheSameWhateverTheBackend) {
  for (const auto* model : {"resnet18", "mobilenet_v3_small", "densenet121"}) {
    const Graph graph = *build_model(model, {.input = Shape{3, 64, 64}});
    const Program forward = *bind(graph, {.batch = 2});
    std::map<std::string, StartRule> rules;
    const auto plain = start_rules(forward);
    for (size_t i = 0; i < plain.size(); ++i) rules[forward.values[i].name] = plain[i];
    for (const Backend* backend : all_backends()) {
      const auto lowered = backend->lowering(2)->lower(step_of(graph, 2));
      ASSERT_TRUE(lowered.ok()) << lowered.error().line();
      const Program& program = (*lowered)->program;
      const auto found = start_rules(program);
      for (size_t i = 0; i < found.size(); ++i) {
        const ProgramValue& value = program.values[i];
        if (value.role != Role::parameter && value.role != Role::buffer) continue;
        EXPECT_EQ(found[i], rules.at(value.name)) << model << " " << backend->name() << " " << value.name;
      }
    }
  }
}

// What a Program knows of its stored tensors goes before any rule.
TEST(Initialise, ContentsOfTheProgramAreUsed) {
  Builder b("net", Shape{2});
  Graph graph = *b.finish(b.linear("last", b.input(), 3));
  for (auto& value : graph.values)
    if (value.name == "last.bias") value.data = std::make_shared<Tensor>(float_tensor({3}, {4, 5, 6}));
  Memory memory(step_of(graph));
  initialise(memory, 1);
  EXPECT_EQ(memory.written["last.bias"], (std::vector<float>{4, 5, 6}));
}

}  // namespace
}  // namespace plimsoll
