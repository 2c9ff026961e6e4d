// What can be wrong with the PyTorch that --device asks for: one line on stderr that says what to do.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/harness/run_program.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class TorchMistakes : public testing::Test {
 protected:
  // `torch`: PLIMSOLL_TORCH.
  void expect(const std::string& torch, const std::string& device, const std::string& message, int exit_code) {
    expect_with({"PLIMSOLL_TORCH=" + torch}, {"--device", device}, message, exit_code);
  }

  void expect_with(const std::vector<std::string>& environment, const std::vector<std::string>& flags,
                   const std::string& message, int exit_code) {
    std::vector<std::string> words{PLIM_PROGRAM, "bench", "lenet5", "--steps", "1", "--seconds", "0"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Ran ran = StartedProgram(words, folder_.path(), environment).wait();
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
  }

  // A package of this version, whose library is the given file.
  std::string package(const std::string& version, const std::string& library_bytes) {
    fs::create_directories(folder_.path() + "/torch/lib");
    folder_.write("torch/version.py", "__version__ = '" + version + "'\n");
    folder_.write("torch/lib/libtorch_cpu.so", library_bytes);
    return folder_.path() + "/torch";
  }

  TemporaryFolder folder_;
};

TEST_F(TorchMistakes, Flags) {
  expect("", "gpu0", "--device is 'gpu0', expected cpu, cuda:N or torch:cpu", 2);
  expect("", "cuda:x", "--device is 'x', expected", 2);
  expect_with({}, {"--device", "torch:cpu", "--backend", "reference"},
              "--backend is 'reference', which is for the processor, but --device is torch:cpu", 2);
}

TEST_F(TorchMistakes, Formats) {
  if (!torch_here().ok()) GTEST_SKIP() << "no PyTorch";
  const std::string torch = "PLIMSOLL_TORCH=" + std::string(std::getenv("PLIMSOLL_TORCH"));
  expect_with({torch}, {"--device", "torch:cpu", "--compute", "fp8"},
              "--compute is 'fp8', expected f32, tf32, bf16 or f16", 2);
  expect_with({torch}, {"--device", "torch:cpu", "--compute", "tf32"}, "--compute is tf32, which only GPUs have", 2);
  expect_with({}, {"--compute", "bf16"}, "--compute is bf16, which is for the kernels of PyTorch, but --device is cpu",
              2);
}

TEST_F(TorchMistakes, NotFound) {
  expect_with({"PLIMSOLL_TORCH=", "VIRTUAL_ENV=", "HOME=" + folder_.path(), "PATH=" + folder_.path()},
              {"--device", "torch:cpu"},
              "PyTorch is not found, which runs on this device (python3 -m venv ~/.plimsoll && "
              "~/.plimsoll/bin/pip install torch;",
              2);
}

TEST_F(TorchMistakes, WrongPlace) {
  expect("/no/such/folder", "torch:cpu", "PLIMSOLL_TORCH is '/no/such/folder', which does not exist", 2);
  expect(folder_.write("file", "x"), "torch:cpu", "which is a file", 2);
  expect(folder_.path(), "torch:cpu", "which holds no libtorch", 2);
}

TEST_F(TorchMistakes, TooOld) {
  expect(package("2.5.1+cu124", "x"), "torch:cpu", "PyTorch 2.5.1+cu124 in", 2);
  expect(package("1.13.1", "x"), "torch:cpu", "is too old, expected 2.13 or later", 2);
}

TEST_F(TorchMistakes, Garbage) {
  expect(package("2.15.0", "not a library"), "torch:cpu", "could not be loaded: ", 4);
  expect(package("2.15.0", ""), "torch:cpu", "a whole PyTorch is needed", 4);
}

TEST_F(TorchMistakes, AnotherInterface) {
  Dl_info mathematics{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(std::cbrt)), &mathematics), 0);
  const std::string torch = package("2.15.0", "");
  fs::copy_file(mathematics.dli_fname, torch + "/lib/libtorch_cpu.so", fs::copy_options::overwrite_existing);
  expect(torch, "torch:cpu", "has no function torch_call_dispatcher: it is older than 2.13, or of another interface",
         4);
}

TEST_F(TorchMistakes, NoDriver) {
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) GTEST_SKIP() << "this machine has a driver";
  expect(package("2.15.0", ""), "cuda:0", "no NVIDIA driver is found (libcuda.so.1)", 4);
}

}  // namespace
}  // namespace plimsoll
