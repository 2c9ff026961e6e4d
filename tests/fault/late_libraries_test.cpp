// Libraries that only some verbs need are broken: what does not call them answers, what does says which one it is.
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

constexpr const char* kLate[] = {"libdnnl.so",  "libhwloc.so",     "libmpi.so",
                                 "libpng16.so", "libturbojpeg.so", "libwebp.so"};

// The files that this program, which is linked to them, has loaded.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  const auto note = [](dl_phdr_info* info, size_t, void* into) {
    const std::string path = info->dlpi_name;
    static_cast<std::vector<std::string>*>(into)->push_back(path.substr(path.rfind('/') + 1));
    return 0;
  };
  dl_iterate_phdr(note, &names);
  return names;
}

class LateLibraries : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "elsewhere than on x86-64 all libraries are linked";
#endif
    for (const std::string& name : loaded_libraries())
      if (std::any_of(std::begin(kLate), std::end(kLate), [&](const char* late) { return name.starts_with(late); })) {
        folder_.write(name, "no library\n");
        broken_.push_back(name);
      }
    ASSERT_GE(broken_.size(), 4u) << "oneDNN, hwloc, png and turbojpeg are linked to every test";
  }

  Ran run(std::vector<std::string> words) const {
    words.insert(words.begin(), PLIM_PROGRAM);
    return StartedProgram(std::move(words), ".", {"LD_LIBRARY_PATH=" + folder_.path()}).wait();
  }

  TemporaryFolder folder_;
  std::vector<std::string> broken_;
};

TEST_F(LateLibraries, PlanningDoesWithout) {
  const std::vector<std::vector<std::string>> questions{
      {"--version"},
      {"weigh", "lenet5"},
      {"fit", "lenet5", "--device", "nvidia-t4"},
      {"place", "lenet5", "--device", "nvidia-t4", "--samples", "100"},
      {"devices", "nvidia-t4"},
      {"train", "--help"}};
  for (const auto& words : questions) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, 0) << words[0] << ": " << ran.err;
    EXPECT_FALSE(ran.out.empty()) << words[0];
  }
}

TEST_F(LateLibraries, WhatNeedsOneSaysWhichItIs) {
  const Ran ran = run({"bench", "lenet5", "--batch", "1", "--steps", "1"});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("plimsoll: libdnnl.so")) << ran.err;
  EXPECT_NE(ran.err.find(" could not be loaded: "), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
