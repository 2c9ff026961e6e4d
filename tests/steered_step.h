// A training step of a network on torch:cpu, and what its kernels allocated beyond the plan: nothing, as it should be.
#pragma once

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/torch/steering.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_backend.h"
#include "tests/zoo_program.h"

namespace plimsoll {

inline void run_steps(Executor& executor, int steps) {
  const Program& program = executor.program();
  for (int i = 0; i < steps; ++i) {
    for (const ValueId id : program.inputs) executor.write(id, Tensor(*program.value(id).type).bytes);
    executor.compute();
    executor.finite();
    executor.update();
    float loss = 0;
    executor.read(program.loss, std::as_writable_bytes(std::span(&loss, 1)));
  }
}

inline Result<Program> training_step(const Program& bound, const std::string& optimizer) {
  StepOptions options;
  options.fuse = false;
  options.optimizer = find_optimizer(optimizer).value();
  return make_step(bound, options);
}

// Planned is what is taken: memory beyond the plan neither stays once the step is ready nor comes in a step.
inline void expect_steered(const Program& bound, const EngineOptions& engine,
                           const std::string& optimizer = "momentum") {
  auto step = training_step(bound, optimizer);
  ASSERT_TRUE(step.ok()) << step.error().line();
  const TorchAllocations before = torch_allocations();
  auto executor = make_executor(torch_backend(), *std::move(step), engine);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  const TorchAllocations ready = torch_allocations();
  EXPECT_EQ(ready.bytes_there, before.bytes_there);
  EXPECT_GT(ready.taken, 0) << "trials allocate, and are seen";
  for (const PlannedStorage& storage : (*executor)->plan().storages)
    EXPECT_EQ(storage.offset.value() % kDeviceLine, 0) << "where no allocator of a GPU begins";
  run_steps(**executor, 2);
  const TorchAllocations after = torch_allocations();
  EXPECT_EQ(after.taken, ready.taken) << "allocations in two steps";
  EXPECT_EQ(after.out_of_place, ready.out_of_place) << "results that were copied to their places";
}

}  // namespace plimsoll
