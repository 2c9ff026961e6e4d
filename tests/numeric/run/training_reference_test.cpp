// Ten steps of training against PyTorch's, stored: losses, every gradient of the first step, and the running statistics
// after it.
#include "tests/training_reference.h"

#include <map>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "run/exec/backend.h"
#include "run/exec/torch/torch_backend.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

constexpr double kTolerance = 1e-4;
constexpr int kThreads = 1;  // tests run beside each other: threads that wait for each other would only spin

struct Case {
  std::string file, backend = "onednn";
  ConvSetting conv = ConvSetting::direct;
  std::string format = "f32";

  // Winograd's domain rounds more coarsely, and every norm on the way back through sixty layers adds to it. Narrow
  // formats have eight and eleven digits.
  double tolerance() const {
    if (format == "bf16") return 3e-2;
    if (format == "f16") return 5e-3;
    return conv == ConvSetting::winograd ? 1e-3 : kTolerance;
  }
};
void PrintTo(const Case& now, std::ostream* out) { *out << now.file << " by " << now.backend; }

Graph without_dropout(Graph graph) {
  for (auto& node : graph.nodes)
    if (node.op_name == "dropout") node.attributes.set("ratio", 0.0);
  return graph;
}

Shape shape_of(const nlohmann::json& sizes) { return Shape(sizes.get<std::vector<int64_t>>()); }

class TrainingRun {
 public:
  TrainingRun(const nlohmann::json& reference, const Case& how) : reference_(reference) {
    ZooOptions options;
    options.input = shape_of(reference["input"]);
    options.classes = reference["classes"].get<int64_t>();
    batch_ = reference["batch"].get<int64_t>();
    const Graph graph = without_dropout(*build_model(reference["model"].get<std::string>(), options));
    const Backend& backend = how.backend == "torch" ? torch_backend() : **find_backend(how.backend);
    StepOptions step;
    step.fuse = backend.takes_fused();
    step.optimizer = *find_optimizer(reference["optimizer"].get<std::string>());
    for (const auto& [name, value] : reference["settings"].items())
      step.optimizer_settings.set(name, value.get<double>());
    auto made = make_step(*bind(graph, {.batch = batch_}), step);
    EXPECT_TRUE(made.ok()) << made.error().line();
    for (const auto& operation : made->operations)
      if (operation.phase == Phase::update) gradients_[made->value(operation.inputs[0]).name] = operation.inputs[1];
    auto executor = make_executor(backend, *std::move(made), engine_in(how.format, {kThreads, how.conv}));
    EXPECT_TRUE(executor.ok()) << executor.error().line();
    executor_ = *std::move(executor);
    fill();
  }

  double compute(int64_t step) {
    const Program& program = executor_->program();
    for (const ValueId id : program.inputs) {
      const std::string& name = program.value(id).name;
      if (name == "targets") write_labels(id, step);
      else if (name == "learning_rate") write(id, std::vector{reference_["learning_rate"].get<float>()});
      else if (name == "step") write(id, std::vector<int64_t>{step + 1});
      else if (name != "random_counters") write_images(id, step);
    }
    executor_->compute();
    return read(program.loss)[0];
  }
  void update() { executor_->update(); }

  std::vector<float> gradient(const std::string& parameter) const { return read(gradients_.at(parameter)); }
  size_t gradients() const { return gradients_.size(); }
  std::vector<float> stored(const std::string& name) const {
    for (size_t i = 0; i < executor_->program().values.size(); ++i)
      if (executor_->program().values[i].name == name) return read({int32_t(i)});
    ADD_FAILURE() << name;
    return {};
  }

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
      const auto& [name, role, type, constant, storage] = program.values[i];
      if (storage.present() || (role != Role::parameter && role != Role::buffer && role != Role::state)) continue;
      const auto count = size_t(type->elements().value());
      if (role == Role::parameter) write({int32_t(i)}, start_numbers(name, type->shape, is_norm(name)));
      else write({int32_t(i)}, std::vector<float>(count, name.ends_with("running_var") ? 1.0F : 0.0F));
    }
  }
  // Whether it is the bias of a norm: the weight beside it is a vector too.
  bool is_norm(const std::string& bias) const {
    const size_t dot = bias.rfind(".bias");
    if (dot == std::string::npos) return false;
    const std::string weight = bias.substr(0, dot) + ".weight";
    for (const auto& value : executor_->program().values)
      if (value.name == weight && value.role == Role::parameter) return value.type->shape.rank() == 1;
    return false;
  }
  // Each channel of each image a plane of its own slope, with a little noise.
  void write_images(ValueId id, int64_t step) {
    static const ReferenceNumbers kSlopes("slopes"), kNoise("noise");
    const Shape& shape = executor_->program().value(id).type->shape;
    const int64_t height = shape[2], width = shape[3], planes = shape[0] * shape[1];
    std::vector<float> images;
    for (int64_t plane = 0; plane < planes; ++plane) {
      const auto slope = [&](int64_t k) { return kSlopes.spread(uint64_t((step * planes + plane) * 3 + k)); };
      for (int64_t i = 0; i < height * width; ++i) {
        const double row = double(i / width) / double(height), column = double(i % width) / double(width);
        const double noise = kNoise.spread(uint64_t((step * planes + plane) * height * width + i));
        images.push_back(float(slope(0) + slope(1) * row + slope(2) * column + 0.25 * noise));
      }
    }
    write(id, images);
  }
  void write_labels(ValueId id, int64_t step) {
    static const ReferenceNumbers kLabels("labels");
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < batch_; ++i)
      labels.push_back(int64_t(kLabels.uniform(uint64_t(step * batch_ + i)) * reference_["classes"].get<double>()));
    write(id, labels);
  }

  const nlohmann::json& reference_;
  int64_t batch_ = 0;
  std::map<std::string, ValueId> gradients_;
  std::unique_ptr<Executor> executor_;
};

void compare_gradients(const TrainingRun& run, const nlohmann::json& expected, double tolerance) {
  ASSERT_EQ(run.gradients(), expected.size());
  double largest = 0;
  for (const auto& [name, numbers] : expected.items()) largest = std::max(largest, numbers[0].get<double>());
  for (const auto& [name, numbers] : expected.items()) {
    const Digest ours = digest_of(run.gradient(name));
    const double norm = numbers[0], sum = numbers[1];
    // What is zero but for rounding (a bias before a norm) is compared with the other gradients.
    const double least = 1e-3 * tolerance * largest;
    EXPECT_NEAR(ours.norm, norm, tolerance * norm + least) << name;
    EXPECT_NEAR(ours.sum, sum, tolerance * std::max(norm, std::abs(sum)) + least) << name;
    for (size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(ours.probes[i], numbers[2 + i].get<double>(), tolerance * norm + least) << name;
  }
}

void compare_buffers(const TrainingRun& run, const nlohmann::json& expected, double tolerance) {
  for (const auto& [name, numbers] : expected.items()) {
    const Digest ours = digest_of(run.stored(name));
    const double norm = numbers[0], sum = numbers[1];
    EXPECT_NEAR(ours.norm, norm, tolerance * norm) << name;
    EXPECT_NEAR(ours.sum, sum, tolerance * std::max(norm, std::abs(sum))) << name;
  }
}

class TrainingReference : public testing::TestWithParam<Case> {};

TEST_P(TrainingReference, AgreesWithPyTorch) {
  if (GetParam().backend == "torch") PLIM_NEEDS_TORCH();
  const auto reference = read_reference(GetParam().file);
  const double tolerance = GetParam().tolerance();
  TrainingRun run(reference, GetParam());
  if (HasFailure()) return;
  const auto losses = reference["losses"].get<std::vector<double>>();
  ASSERT_EQ(losses.size(), 10U);
  for (size_t step = 0; step < losses.size(); ++step) {
    EXPECT_NEAR(run.compute(int64_t(step)), losses[step], tolerance * losses[step]) << "step " << step;
    if (step == 0) {
      compare_gradients(run, reference["gradients"], tolerance);
      compare_buffers(run, reference["buffers"], tolerance);
    }
    run.update();
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = {{"lenet5", "reference"}};
  for (const auto* backend : {"onednn", "torch"})
    for (const auto* network : {"lenet5", "alexnet", "vgg11", "googlenet_bn", "resnet18", "densenet121", "mobilenet_v2",
                                "vit_b_16", "convnext_tiny", "swin_t"})
      cases.push_back({network, backend});
  // Not GoogLeNet: which place wins in its many max pools, and takes the gradient, turns on the last digits.
  for (const auto* network : {"vgg11", "resnet18", "densenet121"})
    cases.push_back({network, "onednn", ConvSetting::winograd});
  cases.push_back({"alexnet", "onednn", ConvSetting::fft});
  for (const auto* backend : {"onednn", "torch"})
    for (const Optimizer* optimizer : all_optimizers())
      cases.push_back({"optimizer_" + std::string(optimizer->name), backend});
  for (const auto* format : {"bf16", "f16"}) cases.push_back({"lenet5", "torch", ConvSetting::direct, format});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Stored, TrainingReference, testing::ValuesIn(all_cases()), [](const auto& info) {
  return info.param.file + (info.param.backend == "onednn" ? "" : "_by_" + info.param.backend) +
         (info.param.conv == ConvSetting::direct ? "" : "_by_" + to_string(info.param.conv)) +
         (info.param.format == "f32" ? "" : "_in_" + info.param.format);
});

}  // namespace
}  // namespace plimsoll
