// A few steps of training small networks of text against PyTorch's transformers, stored (tools/language_references.py):
// losses, and every gradient of the first step.
#include <map>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "run/exec/torch/torch_backend.h"
#include "tests/torch_here.h"
#include "tests/training_reference.h"

namespace plimsoll {
namespace {

constexpr double kTolerance = 1e-4;
constexpr double kRounding = 1e-6;  // of f32, where the sum is 0: biases of keys change no softmax

class LanguageRun {
 public:
  LanguageRun(const nlohmann::json& reference, const Backend& backend) : reference_(reference) {
    const auto graph =
        import_config_text(reference["config"].dump(), {.sequence = reference["sequence"].get<int64_t>()});
    EXPECT_TRUE(graph.ok()) << graph.error().line();
    StepOptions step;
    step.fuse = backend.takes_fused();
    step.optimizer = *find_optimizer(reference["optimizer"].get<std::string>());
    auto made = make_step(*bind(*graph, {.batch = reference["batch"].get<int64_t>()}), step);
    EXPECT_TRUE(made.ok()) << made.error().line();
    for (const auto& operation : made->operations)
      if (operation.phase == Phase::update) gradients_[made->value(operation.inputs[0]).name] = operation.inputs[1];
    auto executor = make_executor(backend, *std::move(made), {1, ConvSetting::direct});
    EXPECT_TRUE(executor.ok()) << executor.error().line();
    executor_ = *std::move(executor);
    fill();
  }

  double compute(int64_t step) {
    const Program& program = executor_->program();
    for (const ValueId id : program.inputs) {
      const std::string& name = program.value(id).name;
      if (name == "targets") write_words(id, "labels", step);
      else if (name == "learning_rate") write(id, std::vector{reference_["learning_rate"].get<float>()});
      else if (name == "step") write(id, std::vector<int64_t>{step + 1});
      else write_words(id, name == "decoder_input" ? "decoder tokens" : "tokens", step);
    }
    executor_->compute();
    return read(program.loss)[0];
  }
  void update() { executor_->update(); }
  std::vector<float> gradient(const std::string& parameter) const { return read(gradients_.at(parameter)); }
  size_t gradients() const { return gradients_.size(); }

 private:
  template <class T>
  void write(ValueId id, const std::vector<T>& numbers) {
    executor_->write(id, std::as_bytes(std::span(numbers)));
  }
  std::vector<float> read(ValueId id) const {
    std::vector<float> numbers(size_t(executor_->program().value(id).type->elements().value()));
    executor_->read(id, std::as_writable_bytes(std::span(numbers)));
    return numbers;
  }
  void fill() {
    const Program& program = executor_->program();
    for (size_t i = 0; i < program.values.size(); ++i) {
      const auto& value = program.values[i];
      if (value.storage.present()) continue;
      if (value.role == Role::parameter) write({int32_t(i)}, start_numbers(value.name, value.type->shape, false));
      if (value.role == Role::buffer || value.role == Role::state)
        write({int32_t(i)}, std::vector<float>(size_t(value.type->elements().value()), 0.0F));
    }
  }
  int64_t words() const { return reference_["config"]["vocab_size"].get<int64_t>(); }
  void write_words(ValueId id, const std::string& what, int64_t step) {
    const ReferenceNumbers numbers(what);
    const auto count = executor_->program().value(id).type->elements().value();
    std::vector<int64_t> list;
    for (int64_t i = 0; i < count; ++i)
      list.push_back(int64_t(numbers.uniform(uint64_t(step * count + i)) * double(words())));
    write(id, list);
  }

  const nlohmann::json& reference_;
  std::map<std::string, ValueId> gradients_;
  std::unique_ptr<Executor> executor_;
};

struct Case {
  std::string network;
  bool by_torch = false;
};

class LanguageReference : public testing::TestWithParam<Case> {};

TEST_P(LanguageReference, AgreesWithTransformers) {
  if (GetParam().by_torch) PLIM_NEEDS_TORCH();
  const auto reference = read_reference("language_" + GetParam().network);
  LanguageRun run(reference, GetParam().by_torch ? torch_backend() : **find_backend("onednn"));
  if (HasFailure()) return;
  const auto losses = reference["losses"].get<std::vector<double>>();
  ASSERT_GE(losses.size(), 2U);
  for (size_t step = 0; step < losses.size(); ++step) {
    EXPECT_NEAR(run.compute(int64_t(step)), losses[step], kTolerance * losses[step]) << "step " << step;
    if (step == 0) {
      ASSERT_EQ(run.gradients(), reference["gradients"].size());
      for (const auto& [name, numbers] : reference["gradients"].items()) {
        const Digest ours = digest_of(run.gradient(name));
        const double norm = numbers[0], near = kTolerance * norm + kRounding;
        EXPECT_NEAR(ours.norm, norm, near) << name;
        EXPECT_NEAR(ours.sum, numbers[1].get<double>(), near + kTolerance * std::abs(numbers[1].get<double>())) << name;
        for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(ours.probes[i], numbers[2 + i].get<double>(), near) << name;
      }
    }
    run.update();
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const bool by_torch : {false, true})
    for (const char* network :
         {"llama_10m", "gpt2_3_layers", "mixtral", "gemma2", "qwen3", "deepseek_v3", "gpt_oss", "phi", "bloom", "mamba",
          "t5", "bert", "lfm2", "falcon_h1", "lfm2_moe", "minimax", "mpt", "umt5"})
      cases.push_back({network, by_torch});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Stored, LanguageReference, testing::ValuesIn(all_cases()), [](const auto& info) {
  return info.param.network + (info.param.by_torch ? "_by_torch" : "");
});

}  // namespace
}  // namespace plimsoll
