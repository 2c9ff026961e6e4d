// What can be wrong with the PyTorch that --device asks for: one line on stderr that says what to do.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "run/exec/torch/find_torch.h"
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
  for (const char* name : {"cuda:x", "cuda:", "cuda:-1", "cuda:0,1", "cuda:9999", "torch:gpu", "CUDA:0"})
    expect("", name, "--device is '" + std::string(name) + "', expected cpu, cuda:N or torch:cpu", 2);
  const Ran ran = run_plimsoll({"place", "lenet5", "--device", "cuda:0"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("give the device file that 'plimsoll probe --device' writes"), std::string::npos) << ran.err;
  expect_with({}, {"--device", "torch:cpu", "--backend", "reference"},
              "--backend is 'reference', which is for the processor, but --device is torch:cpu", 2);
}

TEST_F(TorchMistakes, Formats) {
  setenv("PLIMSOLL_TORCH", PLIM_TEST_TORCH, 0);
  if (!find_torch().ok()) GTEST_SKIP() << "no PyTorch";
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
              "PyTorch, whose kernels run on this device, was not found (python3 -m venv ~/.plimsoll && "
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
  expect(package("2.15.0", ""), "torch:cpu", "a complete PyTorch is needed", 4);
}

TEST_F(TorchMistakes, ADownloadThatStopped) {
  std::ifstream file(PLIM_PROGRAM, std::ios::binary);
  std::string half(1 << 20, 0);
  ASSERT_TRUE(file.read(half.data(), std::streamsize(half.size())));
  expect(package("2.15.0", half), "torch:cpu", "could not be loaded: its end is missing", 4);
  expect(package("2.15.0", half.substr(0, 100)), "torch:cpu", "could not be loaded: its end is missing", 4);
}

TEST_F(TorchMistakes, AnotherInterface) {
  Dl_info mathematics{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(std::cbrt)), &mathematics), 0);
  const std::string torch = package("2.15.0", "");
  fs::copy_file(mathematics.dli_fname, torch + "/lib/libtorch_cpu.so", fs::copy_options::overwrite_existing);
  expect(torch, "torch:cpu", "has no function torch_call_dispatcher: it is older than 2.13, or of another interface",
         4);
}

// A copy of a process that uses torch, as a Python may, could not measure with it.
TEST_F(TorchMistakes, TorchThatIsOpenIsInUse) {
  Dl_info mathematics{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(std::cbrt)), &mathematics), 0);
  const std::string torch = package("2.15.0", ""), file = torch + "/lib/libtorch_cpu.so";
  fs::copy_file(mathematics.dli_fname, file, fs::copy_options::overwrite_existing);
  const auto in_use = [&](bool opened) {
    setenv("PLIMSOLL_TORCH", torch.c_str(), 1);
    if (opened && !dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) _exit(2);
    _exit(torch_in_use() ? 1 : 0);
  };
  EXPECT_EXIT(in_use(false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(in_use(true), testing::ExitedWithCode(1), "");
}

TEST_F(TorchMistakes, NoDriver) {
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) GTEST_SKIP() << "this machine has a driver";
  expect(package("2.15.0", ""), "cuda:0", "no NVIDIA driver is found (libcuda.so.1)", 4);
}

}  // namespace
}  // namespace plimsoll
