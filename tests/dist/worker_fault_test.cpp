// Faults of a run on several workers that are no loss of one: memory that one rank cannot have (18 of the list of
// faults), a picture that spoils while they train (22), a run that goes on in another way (23).
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/dist/workers.h"
#include "tests/unit/run/data/made_pictures.h"

namespace plimsoll {
namespace {

class WorkerFault : public Workers {
 protected:
  // Eight pictures of each of three classes.
  static void write_pictures(const TemporaryFolder& folder) {
    for (int label = 0; label < 3; ++label) {
      std::filesystem::create_directories(folder.path() + "/class" + std::to_string(label));
      for (int i = 0; i < 8; ++i)
        folder.write("class" + std::to_string(label) + "/" + std::to_string(i) + ".jpg",
                     made_jpeg(8, 8, {uint8_t(80 * label), uint8_t(20 * i), 90}));
    }
  }
  // Another content of the same size and date, at once: as a disk would do it, not a person.
  static void spoil(const std::string& path) {
    struct stat before {};
    ASSERT_EQ(stat(path.c_str(), &before), 0);
    std::ofstream(path + ".spoilt", std::ios::binary) << std::string(size_t(before.st_size), 'x');
    const timespec times[2] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, (path + ".spoilt").c_str(), times, 0), 0);
    std::filesystem::rename(path + ".spoilt", path);
  }
  std::vector<std::string> on_pictures(const TemporaryFolder& folder, const std::string& bad) const {
    auto all = words("run", 2, 4, {"--input", "3x8x8", "--bad-samples", bad, "--epochs", "100000"});
    all[2] = "mlp";
    all[4] = "3";
    all[6] = folder.path();
    return all;
  }
  void wait_for_epochs(int epochs) const {
    for (int i = 0; i < 12'000; ++i) {
      std::ifstream log(run_dir() + "/log.jsonl");
      int found = 0;
      for (std::string line; std::getline(log, line);) found += line.find("\"event\":\"epoch\"") != std::string::npos;
      if (found >= epochs) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    FAIL() << "the run does not begin";
  }
};

TEST_F(WorkerFault, MemoryRefusedToOneRankEndsAll) {
  StartedProgram program(words("run", 2, 8, {"--epochs", "100000"}));
  wait_for_steps(3);
  const rlimit none{1, 1};
  const int process = process_of(1);
  ASSERT_NE(process, 0);  // which would be the tests themselves
  ASSERT_EQ(prlimit(process, RLIMIT_AS, &none, nullptr), 0);
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_EQ(fault_lines(ran), 1) << ran.err;
  EXPECT_NE(ran.err.find("rank 1 on "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("out of memory"), std::string::npos) << ran.err;
  expect_nobody_left();
  EXPECT_TRUE((*read_checkpoint(run_dir(), CheckpointKind::last)).has_value());
}

TEST_F(WorkerFault, APictureThatSpoilsEndsAllAndIsNamed) {
  const TemporaryFolder pictures;
  write_pictures(pictures);
  StartedProgram program(on_pictures(pictures, "stop"));
  wait_for_epochs(2);
  spoil(pictures.path() + "/class1/3.jpg");
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(fault_lines(ran), 1) << ran.err;
  EXPECT_NE(ran.err.find("class1/3.jpg"), std::string::npos) << ran.err;
  expect_nobody_left();
}

TEST_F(WorkerFault, APictureThatSpoilsIsSkippedWhereThatIsAsked) {
  const TemporaryFolder pictures;
  write_pictures(pictures);
  StartedProgram program(on_pictures(pictures, "skip"));
  wait_for_epochs(2);
  spoil(pictures.path() + "/class1/3.jpg");
  wait_for_epochs(12);
  kill(program.pid(), SIGINT);
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 130) << ran.err;  // which it would not be if their weights had differed
  EXPECT_GT(nlohmann::json::parse(ran.out)["skipped_samples"].get<int64_t>(), 0) << ran.out;
  expect_nobody_left();
}

TEST_F(WorkerFault, ARunGoesOnBitByBitOrSaysWhatDiffers) {
  const std::vector<std::string> flags{"--optimizer", "adam", "--epochs", "1", "--max-steps"};
  const auto until = [&](const char* steps) {
    auto all = flags;
    all.emplace_back(steps);
    return all;
  };
  ASSERT_EQ(train("whole", 2, 8, until("8")).exit_code, 0);
  ASSERT_EQ(train("run", 2, 8, until("4")).exit_code, 0);
  std::filesystem::copy(run_dir(), run_dir("threads"), std::filesystem::copy_options::recursive);
  const auto resumed = [&](const std::string& name, std::vector<std::string> more, const std::string& steps = "8") {
    std::vector<std::string> all{PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(name), "--max-steps", steps};
    all.insert(all.end(), more.begin(), more.end());
    return StartedProgram(all, ".", {"OMP_WAIT_POLICY=passive"}).wait();  // there may be more threads than cores
  };
  const Ran batch = resumed("run", {"--batch", "4"});
  EXPECT_EQ(batch.exit_code, 2);
  EXPECT_NE(batch.err.find("--batch is '4', but the run was started with '8'"), std::string::npos) << batch.err;
  const Ran same = resumed("run", {});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(weights("run"), weights("whole"));
  const Ran threads = resumed("threads", {"--threads", "2"}, "5");
  ASSERT_EQ(threads.exit_code, 0) << threads.err;
  EXPECT_NE(threads.err.find("The number of threads differs, so numbers may differ in their last digits."),
            std::string::npos)
      << threads.err;
  EXPECT_NEAR(losses("threads").at(4), losses("whole").at(4), 1e-3 * losses("whole")[4]);
}

}  // namespace
}  // namespace plimsoll
