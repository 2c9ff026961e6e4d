// Runs a Program by reference maths, in the tests' own memory: the slow, plain truth to hold passes against.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/ir/evaluate.h"
#include "model/ir/for_type.h"
#include "model/ir/program.h"

namespace plimsoll {

class ProgramRun {
 public:
  explicit ProgramRun(const Program& program) : program_(program), contents_(program.values.size()) {
    for (size_t i = 0; i < contents_.size(); ++i)
      if (program.values[i].constant)
        set({int32_t(i)}, converted(*program.values[i].constant, program.values[i].type->dtype));
  }

  const Program& program() const { return program_; }
  void set(ValueId id, Tensor tensor) { contents_[size_t(id.index)] = std::make_shared<Tensor>(std::move(tensor)); }
  const Tensor& get(ValueId id) const { return *contents_.at(size_t(id.index)); }
  bool has(ValueId id) const { return contents_.at(size_t(id.index)) != nullptr; }

  // Everything that comes from outside: numbers between -1 and 1, labels 0 or 1, states 0, gradients' sums 0.
  void fill(uint32_t seed) {
    for (size_t i = 0; i < contents_.size(); ++i) {
      const ProgramValue& value = program_.values[i];
      if (contents_[i] || value.role == Role::activation || value.role == Role::constant) continue;
      std::mt19937 random(seed + uint32_t(std::hash<std::string>()(value.name) % 1000));
      Tensor tensor(*value.type);
      const bool zero = value.role == Role::state || value.role == Role::gradient;
      if (is_floating(value.type->dtype)) {
        const double more = value.role == Role::buffer ? 1 : 0;  // a variance is positive
        for_float(value.type->dtype, [&](auto number) {
          using T = decltype(number);
          for (size_t k = 0; k < tensor.size(); ++k)
            tensor.as<T>()[k] = T(zero ? 0 : more + std::uniform_real_distribution<double>(-0.5, 0.5)(random));
        });
      } else {
        for (size_t k = 0; k < tensor.size(); ++k) tensor.as<int64_t>()[k] = int64_t(random() % 2);
      }
      set({int32_t(i)}, std::move(tensor));
    }
  }

  void run() {
    for (const auto& operation : program_.operations) {
      std::vector<const Tensor*> inputs;
      for (const ValueId id : operation.inputs)
        inputs.push_back(id.present() ? contents_[size_t(id.index)].get() : nullptr);
      auto outputs = evaluate(*operation.op, operation.attributes, inputs, operation.outputs.size());
      ASSERT_TRUE(outputs.ok()) << operation.name << ": " << outputs.error().line();
      ASSERT_TRUE(outputs->has_value()) << operation.op_name << " declines";
      if (operation.then) {
        auto after = evaluate(*operation.then, {}, {&(**outputs)[0]}, 1);
        (**outputs)[0] = std::move((**after)[0]);
      }
      for (size_t i = 0; i < operation.outputs.size(); ++i)
        if (operation.outputs[i].present()) set(operation.outputs[i], std::move((**outputs)[i]));
    }
  }

  double loss() const { return get(program_.loss).doubles().at(0); }

 private:
  static Tensor converted(const Tensor& tensor, DType type) {
    if (tensor.type.dtype == type || type != DType::f64) return tensor;
    Tensor result(TensorType{type, tensor.type.shape});
    const auto numbers = tensor.doubles();
    std::copy(numbers.begin(), numbers.end(), result.as<double>());
    return result;
  }

  const Program& program_;
  std::vector<std::shared_ptr<Tensor>> contents_;
};

}  // namespace plimsoll
