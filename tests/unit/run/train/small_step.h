// A small training step on the reference backend, ready to run: for tests of whatever fills, saves and trains.
#pragma once

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/reference/reference_backend.h"
#include "run/train/initialise.h"
#include "tests/zoo_program.h"

namespace plimsoll {

inline std::unique_ptr<Executor> small_step(const std::string& optimizer = "adam", int64_t batch = 4,
                                            const std::string& model = "logistic") {
  StepOptions options;
  options.optimizer = find_optimizer(optimizer).value();
  auto step = make_step(zoo_program(model, {}, batch), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  auto executor = make_executor(reference_backend(), *std::move(step), 1);
  EXPECT_TRUE(executor.ok()) << executor.error().line();
  return *std::move(executor);
}

// All that stays from step to step, one after another.
inline std::string stored_bytes(Executor& executor) {
  std::string all;
  for (size_t i = 0; i < executor.program().values.size(); ++i) {
    const ProgramValue& value = executor.program().values[i];
    const bool stored = value.role == Role::parameter || value.role == Role::buffer || value.role == Role::state;
    if (!stored || value.storage.present()) continue;
    std::string bytes(size_t(value.type->bytes().value()), '\0');
    executor.read({int32_t(i)}, std::as_writable_bytes(std::span(bytes)));
    all += bytes;
  }
  return all;
}

}  // namespace plimsoll
