#include "run/train/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "small_step.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TrainingState state_at(int64_t step) {
  TrainingState state;
  state.step = state.updates = step;
  state.epoch = 1;
  state.batch = 2;
  state.running.add(0.1 + 0.2, 3, 1);
  state.best_score = 0.875;
  state.epochs.push_back({.epoch = 1, .steps = 5, .train_loss = 1.0 / 3, .val_accuracy = 0.5});
  return state;
}

Status save(const std::string& folder, Executor& executor, int64_t step, CheckpointKind kind = CheckpointKind::last) {
  return save_checkpoint(folder, kind, executor, state_at(step), {{"model", "logistic"}});
}

TEST(Checkpoint, WhatWasSavedComesBack) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  const std::string stored = stored_bytes(*executor);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  EXPECT_EQ(int64_t(fs::file_size(folder.path() + "/last-00000007.safetensors")),
            checkpoint_bytes(executor->program(), CheckpointKind::last).value());

  const auto checkpoint = read_checkpoint(folder.path());
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().line();
  EXPECT_EQ(to_json(checkpoint->state), to_json(state_at(7)));
  EXPECT_EQ(checkpoint->config["model"], "logistic");
  initialise(*executor, 2);
  EXPECT_NE(stored_bytes(*executor), stored);
  const Status loaded = load_tensors(*checkpoint, *executor);
  ASSERT_TRUE(loaded.ok()) << loaded.error().line();
  EXPECT_EQ(stored_bytes(*executor), stored);
}

// An inference holds weights with the norms in them, so all of a norm's tensors have to be in the file.
TEST(Checkpoint, GoesIntoAnInferenceWithFoldedNorms) {
  const TemporaryFolder folder;
  const auto trained = small_step("sgd", 1, "resnet9_half");
  initialise(*trained, 1);
  ASSERT_TRUE(save(folder.path(), *trained, 7).ok());
  const auto checkpoint = read_checkpoint(folder.path());
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().line();
  auto step = make_step(zoo_program("resnet9_half"), {});
  ASSERT_TRUE(step.ok());
  ASSERT_FALSE(step->folded.empty());
  const FoldedNorm first = step->folded[0];
  const auto inference = make_executor(reference_backend(), *step, 1);
  ASSERT_TRUE(inference.ok());
  ASSERT_TRUE(load_tensors(*checkpoint, **inference).ok());
  const auto numbers_of = [&](const Executor& executor, const std::string& name) {
    std::vector<float> numbers;
    for (size_t i = 0; i < executor.program().values.size(); ++i)
      if (executor.program().values[i].name == name) {
        numbers.resize(size_t(executor.program().values[i].type->elements().value()));
        executor.read({int32_t(i)}, std::as_writable_bytes(std::span(numbers)));
      }
    return numbers;
  };
  const std::string name = step->value(first.weights).name;
  const auto before = numbers_of(*trained, name), after = numbers_of(**inference, name);
  ASSERT_FALSE(before.empty());
  for (size_t i = 0; i < before.size(); ++i) ASSERT_FLOAT_EQ(after[i], before[i] / std::sqrt(float(1 + first.epsilon)));

  Program other = *step;
  other.value(first.variance).name = "somewhere.else";
  const auto lacking = make_executor(reference_backend(), other, 1);
  ASSERT_TRUE(lacking.ok());
  const Status refused = load_tensors(*checkpoint, **lacking);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().what.find("'somewhere.else' is missing"), std::string::npos) << refused.error().what;
}

TEST(Checkpoint, TheOneBeforeGoesWhenTheNewOneIsThere) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  ASSERT_TRUE(save(folder.path(), *executor, 8).ok());
  ASSERT_TRUE(save(folder.path(), *executor, 8, CheckpointKind::best).ok());
  EXPECT_EQ(files_in(folder.path()), (std::set<std::string>{"last.json", "last-00000008.safetensors", "best.json",
                                                            "best-00000008.safetensors"}));
  ASSERT_TRUE(save(folder.path(), *executor, 8).ok());  // the same step once more
  EXPECT_TRUE(read_checkpoint(folder.path() + "/last.json").ok());
  EXPECT_EQ(files_in(folder.path()).size(), 4u);
  EXPECT_EQ(read_checkpoint(folder.path())->kind, CheckpointKind::best);
  EXPECT_EQ(read_checkpoint(folder.path() + "/best-00000008.safetensors")->kind, CheckpointKind::best);
}

TEST(Checkpoint, LeftoversOfAKilledRunAreSweptUp) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  folder.write("last-00000009.safetensors", "tensors that no JSON names");
  folder.write("last.json.123.part", "{");
  folder.write("mine.txt", "not ours");
  sweep_leftovers(folder.path());
  EXPECT_EQ(files_in(folder.path()), (std::set<std::string>{"last.json", "last-00000007.safetensors", "mine.txt"}));
  folder.write("last.json", "{ damaged");
  sweep_leftovers(folder.path());
  EXPECT_TRUE(fs::exists(folder.path() + "/last-00000007.safetensors"));
}

TEST(Checkpoint, AFlippedBitIsFound) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  const std::string path = folder.path() + "/last-00000007.safetensors";
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-100, std::ios::end);
  const char byte = char(file.peek() ^ 1);
  file.seekp(-100, std::ios::end);
  file.put(byte).flush();
  const Status loaded = load_tensors(*read_checkpoint(folder.path()), *executor);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().line().find("is damaged: its checksum"), std::string::npos) << loaded.error().line();
  EXPECT_NE(loaded.error().line().find("best.json"), std::string::npos);
}

TEST(Checkpoint, AnotherNetworksCheckpointIsRefusedWithItsTensors) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  const auto checkpoint = read_checkpoint(folder.path());
  const auto other = small_step("momentum", 4, "mlp");
  const Status loaded = load_tensors(*checkpoint, *other);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().line().find("another network or with another optimizer: '"), std::string::npos)
      << loaded.error().line();
  const auto same_network = small_step("rmsprop");
  const Status state = load_tensors(*checkpoint, *same_network);
  ASSERT_FALSE(state.ok());
  EXPECT_NE(state.error().line().find("is missing"), std::string::npos) << state.error().line();
}

TEST(Checkpoint, ABestOneServesAnInferenceAndAnotherOptimizer) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7, CheckpointKind::best).ok());
  const auto inference = make_executor(reference_backend(), *make_step(zoo_program("logistic", {}, 4), {}), 1);
  ASSERT_TRUE(inference.ok());
  EXPECT_TRUE(load_tensors(*read_checkpoint(folder.path()), **inference).ok());
}

TEST(Checkpoint, DamagedJsonIsOneLine) {
  const TemporaryFolder folder;
  const auto executor = small_step();
  initialise(*executor, 1);
  ASSERT_TRUE(save(folder.path(), *executor, 7).ok());
  const std::string path = folder.path() + "/last.json";
  std::ifstream in(path);
  const nlohmann::ordered_json whole = nlohmann::ordered_json::parse(in);
  for (const auto& [field, value] : whole.items()) {
    auto json = whole;
    json.erase(field);
    folder.write("last.json", json.dump());
    const auto read = read_checkpoint(path);
    ASSERT_FALSE(read.ok()) << field;
    EXPECT_NE(read.error().line().find("'" + field + "'"), std::string::npos) << read.error().line();
  }
  for (const char* outside : {"../x.safetensors", "/etc/passwd", ""}) {
    auto json = whole;
    json["tensors"] = outside;
    folder.write("last.json", json.dump());
    EXPECT_FALSE(read_checkpoint(path).ok()) << outside;
  }
  folder.write("last.json", "");
  EXPECT_FALSE(read_checkpoint(path).ok());
}

}  // namespace
}  // namespace plimsoll
