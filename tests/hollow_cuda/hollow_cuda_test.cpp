// Steps on cuda:0 with the real libtorch for CUDA, on stand-ins of the libraries below it: kernels are launched and do
// nothing, memory is counted, and cannot be touched by the host. So it shows what is allocated, copied and launched;
// not what is computed.
//
// The program builds the stand-ins, and starts itself again with them in front of all other libraries.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/dist/device_exchange.h"
#include "run/exec/torch/find_torch.h"
#include "run/exec/torch/torch_allocator.h"
#include "run/exec/torch/torch_backend.h"
#include "run/exec/torch/torch_lowering.h"
#include "tests/dist/workers.h"
#include "tests/harness/run_program.h"
#include "tests/idx_set.h"
#include "tests/steered_step.h"
#include "tests/torch_here.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

constexpr const char* kStarted = "PLIMSOLL_HOLLOW";
constexpr int kSkipped = 77;

template <class Number>
Number hollow(const char* what) {
  auto* function = reinterpret_cast<Number (*)()>(dlsym(RTLD_DEFAULT, what));
  return function ? function() : Number(-1);
}
size_t mallocs() { return hollow<size_t>("hollow_mallocs"); }
size_t bytes() { return hollow<size_t>("hollow_bytes"); }
long launches() { return hollow<long>("hollow_launches"); }

EngineOptions on_gpu() {
  EngineOptions options(1);
  options.device = {RunDevice::Kind::cuda, 0};
  return options;
}

Program small_step(const std::string& name) {
  const Shape own = find_model(name)->input;
  const Shape input = own[0] == 1 ? own : Shape{own[0], 64, 64};
  return training_step(zoo_program(name, {.input = input, .classes = 10}, 2), "momentum").value();
}

void expect_one_piece(Program step, const EngineOptions& engine, bool all_kernels) {
  auto lowered = torch_backend().lowering(engine)->lower(std::move(step));
  ASSERT_TRUE(lowered.ok()) << lowered.error().line();
  if (all_kernels) {
    EXPECT_TRUE((*lowered)->by_reference.empty());
  }
  MemoryPlan plan = plan_memory((*lowered)->program, (*lowered)->rules());
  const Bytes planned = plan.persistent + plan.arena + static_cast<const TorchLowered&>(**lowered).staging();
  const size_t before = mallocs(), held = bytes();
  auto executor = torch_backend().compile(*std::move(lowered), std::move(plan));
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  EXPECT_EQ(mallocs() - before, 1u);
  const auto taken = int64_t(bytes() - held);
  EXPECT_GE(taken, planned.value());
  EXPECT_LT(taken, planned.value() + 3072)
      << "the plan, each part on a line of its own, a line before it, some numbers";
  const long launched = launches();
  const int64_t out_of_place = torch_allocations().out_of_place;
  run_steps(**executor, 2);
  EXPECT_GT(launches(), launched + 2 * int64_t((*executor)->program().operations.size()) / 2);
  EXPECT_EQ(mallocs() - before, 1u) << "none in a step";
  EXPECT_EQ(int64_t(bytes() - held), taken) << "and none of it is given back";
  EXPECT_EQ(torch_allocations().out_of_place, out_of_place);
}

void expect_one_piece(const std::string& name, const EngineOptions& engine = on_gpu()) {
  expect_one_piece(small_step(name), engine, true);
}

class HollowCuda : public testing::TestWithParam<const char*> {};

TEST_P(HollowCuda, TakesOnePieceAndNothingInAStep) { expect_one_piece(GetParam()); }

// Some write the first number of the plan as a result of libtorch's.
TEST(HollowCudaUpdates, TakeOnePieceAndNothingInAStep) {
  for (const Optimizer* optimizer : all_optimizers()) {
    SCOPED_TRACE(optimizer->name);
    const Program bound = zoo_program("lenet5", {.input = Shape{1, 28, 28}, .classes = 10}, 2);
    expect_one_piece(training_step(bound, std::string(optimizer->name)).value(), on_gpu(), true);
  }
}

TEST(HollowCudaFormats, TakeOnePieceAndNothingInAStep) {
  for (const char* format : {"tf32", "bf16", "f16", "bf16,channels-last"}) {
    SCOPED_TRACE(format);
    expect_one_piece("resnet18", engine_in(format, on_gpu()));
  }
}

// Means over workers: every bucket is one call of NCCL, on a stream that is not the one that computes, and none of it
// allocates.
TEST(HollowCudaWorkers, BucketsGoOutOnAStreamOfTheirOwn) {
  auto executor = make_executor(torch_backend(), small_step("resnet18"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  const auto alone = single_communicator();
  auto sum = joined_device_sum(**executor, *alone);
  ASSERT_TRUE(sum.ok()) << sum.error().line();
  DeviceExchange exchange(**executor, **sum, Bytes(4 << 20));
  const long groups = hollow<long>("hollow_groups"), reduced = hollow<long>("hollow_reduced");
  const long own = hollow<long>("hollow_reduced_on_own_stream");
  const size_t before = mallocs();
  for (int i = 0; i < 3; ++i) {
    exchange.begin();
    (*executor)->compute();
    EXPECT_TRUE(exchange.finish().finite);
    (*executor)->update();
  }
  EXPECT_EQ(hollow<long>("hollow_groups") - groups, 3 * long(exchange.buckets().size()));
  EXPECT_GT(exchange.buckets().size(), 3u);
  EXPECT_EQ(hollow<long>("hollow_reduced_on_own_stream") - own, hollow<long>("hollow_reduced") - reduced);
  EXPECT_EQ(mallocs(), before) << "none in a step";
}

// The next batch is on its way while a step runs: from pinned memory that is taken once.
TEST(HollowCudaInputs, ArriveFromPinnedMemory) {
  auto executor = make_executor(torch_backend(), small_step("resnet18"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  const Program& program = (*executor)->program();
  const Tensor batch(*program.value(program.inputs[0]).type);
  const size_t pinned = hollow<size_t>("hollow_pinned"), before = mallocs();
  const long from_pinned = hollow<long>("hollow_copies_from_pinned");
  EXPECT_FALSE((*executor)->write_staged());
  for (int i = 0; i < 3; ++i) {
    (*executor)->compute();
    (*executor)->stage(batch.bytes);
    EXPECT_TRUE((*executor)->write_staged());
    EXPECT_FALSE((*executor)->write_staged()) << "once";
  }
  EXPECT_EQ(hollow<size_t>("hollow_pinned") - pinned, 1u);
  EXPECT_EQ(hollow<long>("hollow_copies_from_pinned") - from_pinned, 3);
  EXPECT_EQ(mallocs(), before);
}

// Without pinned memory a batch is copied when its step begins, and the refusal is no kernel's failure.
TEST(HollowCudaInputs, AreCopiedWherePinnedMemoryIsRefused) {
  auto executor = make_executor(torch_backend(), small_step("lenet5"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  const Program& program = (*executor)->program();
  const Tensor batch(*program.value(program.inputs[0]).type);
  setenv("HOLLOW_NO_PINNED", "1", 1);
  (*executor)->stage(batch.bytes);
  unsetenv("HOLLOW_NO_PINNED");
  EXPECT_FALSE((*executor)->write_staged());
  run_steps(**executor, 1);
}

// Calls return before their kernels are done: what is timed is waited for.
TEST(HollowCudaTimes, AreOfWhatIsDone) {
  auto executor = make_executor(torch_backend(), small_step("lenet5"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  std::vector<Seconds> of_each((*executor)->program().operations.size());
  const long before = hollow<long>("hollow_finished");
  (*executor)->time_into(&of_each);
  run_steps(**executor, 1);
  (*executor)->time_into(nullptr);
  EXPECT_GE(hollow<long>("hollow_finished") - before, long(of_each.size()));
}

// A GPU that is full is no reason for the next kernel to fail.
TEST(HollowCudaMemory, IsRefusedInOneLineAndLeavesNothingBehind) {
  auto executor = make_executor(torch_backend(), small_step("lenet5"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  setenv("HOLLOW_MEMORY", "1000000", 1);
  const auto refused = make_executor(torch_backend(), small_step("alexnet"), on_gpu());
  unsetenv("HOLLOW_MEMORY");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().line().find("out of memory on cuda:0"), std::string::npos) << refused.error().line();
  run_steps(**executor, 1);
}

// As in a Python that has worked with torch on the GPU before.
TEST(HollowCudaMemory, StaysLibtorchsWhereThatIsAtWork) {
  auto executor = make_executor(torch_backend(), small_step("lenet5"), on_gpu());
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  void* library = dlopen((opened_torch().folder() + "/libtorch_cuda.so").c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  EXPECT_EXIT(
      {
        std::string why;
        const bool ours = use_own_allocator(library, on_gpu().device, opened_torch().version(), why);
        std::fputs(why.c_str(), stderr);
        _exit(ours ? 1 : 0);
      },
      testing::ExitedWithCode(0), "works on a GPU in this process already");
}

// The whole zoo, label long. Nothing is computed and memory is only counted, so networks may be as large as they are.
class HollowZoo : public testing::TestWithParam<std::string> {};

TEST_P(HollowZoo, TakesOnePieceAndNothingInAStep) {
  constexpr Bytes kMost{int64_t{24} << 30};
  const auto graph = build_model(GetParam(), {});
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  const auto bound = bind(*graph, {.batch = 2});
  if (!bound.ok()) GTEST_SKIP() << bound.error().line();
  auto step = training_step(*bound, "momentum");
  if (!step.ok()) GTEST_SKIP() << step.error().line();
  if (plan_memory(*step, plain_size_rules()).peak() > kMost) GTEST_SKIP() << "it does not fit the GPU";
  expect_one_piece(*std::move(step), on_gpu(), false);
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const auto& model : all_models()) names.emplace_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, HollowZoo, testing::ValuesIn(zoo_names()), [](const auto& info) { return info.param; });

// The program itself, on the same stand-ins.
class HollowProgram : public testing::Test {
 protected:
  static Ran bench(const std::vector<std::string>& environment, const std::string& device) {
    return StartedProgram(
               {PLIM_PROGRAM, "bench", "lenet5", "--steps", "2", "--seconds", "0", "--batch", "8", "--device", device},
               ".", environment)
        .wait();
  }
  static void expect_line(const Ran& ran, const std::string& line, int exit_code) {
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    EXPECT_NE(ran.err.find(line), std::string::npos) << "expected: " << line << "\ngot: " << ran.err;
    EXPECT_EQ(ran.out, "");
  }
};

TEST_F(HollowProgram, RunsAStep) {
  const Ran ran = bench({}, "cuda:0");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

// Each is measured in a process of its own, which begins as a copy of one that has not used the GPU yet.
TEST_F(HollowProgram, RunsStepsOfSeveralSizes) {
  const Ran ran = StartedProgram({PLIM_PROGRAM, "bench", "lenet5", "--steps", "1", "--seconds", "0", "--batch", "4,8",
                                  "--device", "cuda:0", "--profile", "--json"})
                      .wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["runs"].size(), 2u);
}

TEST_F(HollowProgram, LeavesOtherGpusAlone) {
  const Ran ran = bench({"HOLLOW_GPUS=2", "HOLLOW_ONLY=1"}, "cuda:1");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(bench({"HOLLOW_GPUS=2", "HOLLOW_ONLY=1"}, "cuda:0").exit_code, 0) << "the stand-in would notice";
}

// Where NCCL is missing a thread of its own brings gradients to the host and back.
TEST_F(HollowProgram, WorkersKeepToTheirGpus) {
  if (!mpirun_is_there()) GTEST_SKIP() << "mpirun is missing: install openmpi-bin";
  const TemporaryFolder folder;
  write_idx_set(folder, 64, 28, 4);
  std::vector<std::string> all{"/usr/bin/env", "mpirun", "--allow-run-as-root", "--oversubscribe"};
  for (const std::string gpu : {"0", "1"}) {
    if (gpu == "1") all.emplace_back(":");
    for (const std::string& word : std::vector<std::string>{"-np",
                                                            "1",
                                                            "env",
                                                            "HOLLOW_GPUS=2",
                                                            "HOLLOW_ONLY=" + gpu,
                                                            "PLIMSOLL_NCCL=/none",
                                                            PLIM_PROGRAM,
                                                            "train",
                                                            "lenet5",
                                                            "--input",
                                                            "1x28x28",
                                                            "--classes",
                                                            "4",
                                                            "--data",
                                                            folder.path(),
                                                            "--batch",
                                                            "8",
                                                            "--max-steps",
                                                            "2",
                                                            "--threads",
                                                            "1",
                                                            "--quiet",
                                                            "--device",
                                                            "cuda:0",
                                                            "--run-dir",
                                                            folder.path() + "/run"})
      all.push_back(word);
  }
  const Ran ran = StartedProgram(all).wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

// Hollow kernels compute nothing: the report says that operations do not agree, and how much memory was taken.
TEST_F(HollowProgram, WritesAReportOfWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/report.json";
  const Ran ran = StartedProgram({PLIM_PROGRAM, "bench", "lenet5", "--steps", "1", "--seconds", "0", "--threads", "1",
                                  "--device", "cuda:0", "--check", file})
                      .wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto report = nlohmann::json::parse(std::ifstream(file));
  EXPECT_EQ(report["agrees"], false);
  EXPECT_EQ(report["memory"]["allocations_in_steps"], 0);
  EXPECT_GE(report["memory"]["gpu_bytes_in_use"], report["memory"]["planned_bytes"]);
}

TEST_F(HollowProgram, FitsAndProbes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/gpu.json";
  const Ran probe =
      StartedProgram({PLIM_PROGRAM, "probe", "--device", "cuda:0", "--quick", "--out", file, "--json"}).wait();
  ASSERT_EQ(probe.exit_code, 0) << probe.err;
  const auto probed = nlohmann::json::parse(probe.out);
  EXPECT_EQ(probed["title"], "Hollow");
  EXPECT_EQ(probed["products"].size(), 4u);
  const auto device = nlohmann::json::parse(std::ifstream(file));
  EXPECT_EQ(device["kind"], "gpu");
  EXPECT_EQ(device["memory"]["value"], double(int64_t{80} << 30));
  EXPECT_TRUE(device["gemm_rate"].contains("bf16"));
  const Ran fit = StartedProgram({PLIM_PROGRAM, "fit", "lenet5", "--device", "cuda:0", "--batch", "64", "--memory",
                                  "1GiB", "--json"})
                      .wait();
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  const auto fitted = nlohmann::json::parse(fit.out);
  EXPECT_EQ(fitted["framework"], "plimsoll");
  EXPECT_EQ(fitted["device"], "cuda:0");
  const Ran run = StartedProgram({PLIM_PROGRAM, "bench", "lenet5", "--steps", "2", "--seconds", "0", "--batch", "64",
                                  "--device", "cuda:0", "--json"})
                      .wait();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto taken = nlohmann::json::parse(run.out)["runs"][0];
  EXPECT_EQ(taken["planned_bytes"], fitted["peak_bytes"]) << "fit says what a run plans";
  EXPECT_NEAR(taken["peak_bytes"].get<double>(), taken["planned_bytes"].get<double>(), 4096) << "and that is taken";
}

TEST_F(HollowProgram, MeasuresASmallGpu) {
  const TemporaryFolder folder;
  const Ran ran = StartedProgram({PLIM_PROGRAM, "probe", "--device", "cuda:0", "--quick", "--out",
                                  folder.path() + "/gpu.json", "--json"},
                                 ".", {"HOLLOW_MEMORY=2000000000"})
                      .wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(HollowProgram, SaysWhatIsMissing) {
  expect_line(bench({"HOLLOW_GPUS=0"}, "cuda:0"), "the NVIDIA driver finds no GPU", 4);
  expect_line(bench({"HOLLOW_GPUS=0", "CUDA_VISIBLE_DEVICES="}, "cuda:0"), "CUDA_VISIBLE_DEVICES is ''", 4);
  expect_line(bench({"CUDA_VISIBLE_DEVICES=2"}, "cuda:1"), "CUDA_VISIBLE_DEVICES is '2', which leaves 1 GPU", 2);
  expect_line(bench({"HOLLOW_START=803"}, "cuda:0"), "the NVIDIA driver does not start: driver mismatch (error 803)",
              4);
  expect_line(bench({"HOLLOW_DRIVER=12020"}, "cuda:0"), "the NVIDIA driver runs CUDA 12.2, and the PyTorch in", 4);
  expect_line(bench({"HOLLOW_MALLOC_ERROR=46"}, "cuda:0"), "busy or unavailable", 4);
  expect_line(bench({}, "cuda:3"), "cuda:3 is not there: this machine has 1 GPU", 2);
  expect_line(bench({"HOLLOW_NO_KERNELS=1"}, "cuda:0"), "has no kernels for the architecture of cuda:0", 4);
  expect_line(bench({"HOLLOW_MEMORY=100000"}, "cuda:0"), "out of memory on cuda:0", 4);
}

INSTANTIATE_TEST_SUITE_P(Networks, HollowCuda,
                         testing::Values("lenet5", "fmnist_cnn", "alexnet", "googlenet", "resnet18", "mobilenet_v2",
                                         "vit_b_16"),
                         [](const auto& info) { return std::string(info.param); });

std::string stand_ins(const std::string& torch) {
  const std::string command =
      std::string("python3 -B " PLIM_STAND_INS "/make_stand_ins.py '") + torch + "' '" PLIM_HOLLOW_FOLDER "'";
  std::string paths;
  FILE* output = popen(command.c_str(), "r");
  std::array<char, 4096> text;
  while (output && fgets(text.data(), text.size(), output)) paths += text.data();
  return output && pclose(output) == 0 ? paths : "";
}

// Returns only when it could not be done.
void start_again(char** words) {
  setenv("PLIMSOLL_TORCH", PLIM_TEST_TORCH, 0);
  const auto torch = find_torch();
  std::string paths = torch.ok() ? stand_ins(*torch) : "";
  if (paths.empty()) return;
  std::replace(paths.begin(), paths.end(), '\n', ':');
  setenv("LD_PRELOAD", paths.c_str(), 1);
  setenv("TORCH_CUDNN_V8_API_DISABLED", "1", 1);  // the older interface asks for less
  setenv(kStarted, "1", 1);
  execv("/proc/self/exe", words);
}

}  // namespace
}  // namespace plimsoll

int main(int count, char** words) {
  const bool lists = count > 1 && std::string(words[1]) == "--gtest_list_tests";
  if (!lists && !std::getenv(plimsoll::kStarted)) {
    plimsoll::start_again(words);
    std::puts("skipped: no libtorch for CUDA, or its stand-ins could not be built");
    return plimsoll::kSkipped;
  }
  testing::InitGoogleTest(&count, words);
  const int result = RUN_ALL_TESTS();
  std::fflush(nullptr);
  _exit(result);  // libtorch's own end expects a driver
}
