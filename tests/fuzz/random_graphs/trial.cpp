#include "tests/fuzz/random_graphs/trial.h"

#include <fmt/format.h>

#include <cmath>

#include "model/ir/bind.h"
#include "model/ir/for_type.h"
#include "model/passes/parameter_gradient.h"

namespace plimsoll {
namespace {

// Constants are as the file has them; a program in f64 needs them in f64.
void convert_constants(Program& program) {
  for (auto& value : program.values) {
    if (!value.constant || !value.type || value.type->dtype != DType::f64) continue;
    if (value.constant->type.dtype == DType::f64) continue;
    Tensor tensor(*value.type);
    const auto numbers = value.constant->doubles();
    std::copy(numbers.begin(), numbers.end(), tensor.as<double>());
    value.constant = std::make_shared<Tensor>(std::move(tensor));
  }
}

Result<Program> step_of(const RandomGraph& random, DType type) {
  BindOptions options;
  if (type != DType::f32) options.parameters = options.activations = type;
  PLIM_ASSIGN(Program program, bind(random.graph, options));
  convert_constants(program);
  PLIM_ASSIGN(Program step, make_step(std::move(program), random.step));
  convert_constants(step);
  return step;
}

std::vector<double> numbers_of(const Executor& executor, ValueId id) {
  Tensor tensor(*executor.program().value(id).type);
  executor.read(id, tensor.bytes);
  return tensor.doubles();
}

// Before it is lowered: updates may then read gradients in another layout, which are not there between runs.
std::vector<ParameterGradient> gradients_of(const Program& step) {
  std::vector<ParameterGradient> result;
  for (const auto& operation : step.operations)
    if (operation.phase == Phase::update) result.push_back({operation.inputs[0], operation.inputs[1]});
  return result;
}

class Trial {
 public:
  Trial(Executor& executor, std::vector<ParameterGradient> gradients, const RandomGraph& random,
        const Precision& precision)
      : executor_(executor),
        gradients_(std::move(gradients)),
        program_(executor.program()),
        random_(random),
        precision_(precision),
        dice_(precision.seed) {}

  std::map<std::string, std::vector<double>> run() {
    for (size_t i = 0; i < program_.values.size(); ++i) fill({int32_t(i)});
    if (precision_.noise > 0) executor_.tell_of_each([this](size_t operation) { add_noise(operation); });
    for (int64_t i = 0; i < program_.micro_batches; ++i) {
      for (const ValueId id : program_.inputs) fill(id);  // a step may write over its inputs
      executor_.compute();
    }
    if (program_.loss.present()) keep("loss", program_.loss);
    // A training step keeps what it judges by, not what else a network gives.
    const size_t outputs = program_.loss.present() ? 1 : program_.outputs.size();
    for (size_t i = 0; i < outputs; ++i) keep(fmt::format("output {}", i), program_.outputs[i]);
    for (const auto& [parameter, gradient] : gradients_) keep("gradient " + program_.value(parameter).name, gradient);
    if (program_.loss.present()) executor_.update();
    keep_all(Role::parameter, "updated");
    keep_all(Role::buffer, "statistics");
    return std::move(numbers_);
  }

 private:
  void keep(const std::string& name, ValueId id) {
    if (is_floating(program_.value(id).type->dtype)) numbers_[name] = numbers_of(executor_, id);
  }

  void keep_all(Role role, const std::string& what) {
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ProgramValue& value = program_.values[i];
      if (value.role == role && value.type && !value.storage.present()) keep(what + " " + value.name, {int32_t(i)});
    }
  }

  void write(ValueId id, const std::vector<double>& numbers) {
    Tensor tensor(*program_.value(id).type);
    for_type(tensor.type.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (size_t i = 0; i < tensor.size(); ++i) tensor.as<T>()[i] = T(numbers[i]);
    });
    executor_.write(id, tensor.bytes);
  }

  void fill(ValueId id) {
    const ProgramValue& value = program_.value(id);
    if (value.constant || !value.type || value.storage.present()) return;
    const auto count = size_t(value.type->elements().value());
    if (value.role == Role::parameter || value.role == Role::buffer) write(id, random_.stored.at(value.name).doubles());
    else if (value.role == Role::state) write(id, std::vector<double>(count, 0));
    else if (value.role == Role::input) write(id, input_numbers(value, count));
  }

  std::vector<double> input_numbers(const ProgramValue& value, size_t count) {
    if (value.name == "learning_rate") return {0.01};
    if (value.name == "step") return {1};
    if (value.name == "random_counters") return {5, 1, 0};
    if (value.name != "targets") return random_.input.doubles();
    Dice dice(random_.seed + 1);
    std::vector<double> result(count);
    for (auto& number : result) number = double(dice.below(2));
    return result;
  }

  // As rounding would do it, only more: a share of each number, and of the largest for what cancelled on its way.
  // Exact zeros stay: what was padded, dropped or cut off is so in every precision.
  void add_noise(size_t index) {
    const Operation& operation = program_.operations[index];
    if (operation.op->storage == Storage::view) return;
    for (const ValueId id : operation.outputs) {
      if (!id.present() || program_.value(id).type->dtype != DType::f64) continue;
      const auto bytes = executor_.storage(id);
      auto* numbers = reinterpret_cast<double*>(bytes.data());
      const size_t count = bytes.size() / sizeof(double);
      double largest = 0;
      for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(numbers[i]));
      for (size_t i = 0; i < count; ++i) {
        if (numbers[i] == 0) continue;
        const double own = numbers[i] * dice_.between(-1, 1);
        numbers[i] += precision_.noise * (own + largest * dice_.between(-0.1, 0.1));
      }
    }
  }

  Executor& executor_;
  const std::vector<ParameterGradient> gradients_;
  const Program& program_;
  const RandomGraph& random_;
  const Precision precision_;
  Dice dice_;
  std::map<std::string, std::vector<double>> numbers_;
};

}  // namespace

Tried try_graph(const RandomGraph& random, const Backend& backend, const Precision& precision) {
  auto step = step_of(random, precision.type);
  if (!step.ok()) return {step.error().line(), {}};
  auto gradients = gradients_of(*step);
  auto executor = make_executor(backend, std::move(*step), EngineOptions(1, random.conv));
  if (!executor.ok()) return {executor.error().line(), {}};
  return {"", Trial(**executor, std::move(gradients), random, precision).run()};
}

}  // namespace plimsoll
