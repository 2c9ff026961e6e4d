// What `plimsoll probe` prints and keeps. Nothing here depends on how fast the machine is.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plan/devices/this_device.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

// Where the program under test looks for the kept probe.
class KeptIn {
 public:
  explicit KeptIn(const std::string& path) { setenv("PLIMSOLL_PROBE", path.c_str(), 1); }
  ~KeptIn() { unsetenv("PLIMSOLL_PROBE"); }
  KeptIn(const KeptIn&) = delete;
  KeptIn& operator=(const KeptIn&) = delete;
};

void expect_plausible(const nlohmann::json& document) {
  EXPECT_EQ(document["schema"], "plimsoll.probe/1");
  EXPECT_GE(document["cores"], 1);
  EXPECT_GE(document["threads"], document["cores"]);
  EXPECT_GT(document["memory_bytes"], 1 << 20);
  EXPECT_LE(document["memory_bytes"], document["limits"]["machine_memory_bytes"]);
  for (const char* table : {"peak", "core_peak"}) {
    EXPECT_TRUE(document[table].contains("f32") && document[table].contains("f64"));
    for (const auto& [format, rate] : document[table].items()) EXPECT_GT(rate, 0) << table << "." << format;
  }
  ASSERT_FALSE(document["bandwidth"].empty());
  EXPECT_EQ(document["bandwidth"].back()["level"], "RAM");
  for (const auto& level : document["bandwidth"]) {
    EXPECT_GT(level["read"], 0);
    EXPECT_GT(level["triad"], 0);
    EXPECT_GT(level["bytes_per_core"], 0);
  }
  EXPECT_NE(document["disk"].contains("read"), document["disk"].contains("note"));
  EXPECT_FALSE(document["conv_rates"].empty());
  EXPECT_FALSE(document["sweep_rates"].empty());
  EXPECT_GT(document["decode_rate"], 0);
  EXPECT_GT(document["decode_rate_augmented"], 0);
}

TEST(ProbeVerb, PrintsOneDocumentAndKeepsADeviceFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/mine.json";
  const Ran ran = run_plimsoll({"probe", "--quick", "--json", "--quiet", "--out", path});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const auto document = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << ran.out;
  expect_plausible(document);
  EXPECT_EQ(document["kept_in"], path);

  const auto kept = read_probe(path);
  ASSERT_TRUE(kept.ok()) << kept.error().line();
  EXPECT_EQ(kept->cores->value(), document["cores"]);
  EXPECT_FALSE(kept->conv_rates.empty());
  EXPECT_FALSE(kept->memory_bound_rates.empty());
  EXPECT_NEAR(kept->peak.at(DType::f32).per_second / double(document["peak"]["f32"]), 1, 1e-3);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);

  const KeptIn place(path);
  const Ran shown = run_plimsoll({"devices", "this"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("measured by plimsoll probe on this machine"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("decode_rate_augmented"), std::string::npos) << shown.out;
}

TEST(ProbeVerb, PrintsATableAndSaysWhatItIsDoing) {
  const TemporaryFolder folder;
  const KeptIn place(folder.path() + "/new/this.json");
  const Ran ran = run_plimsoll({"probe", "--quick"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("measuring memory bandwidth"), std::string::npos) << ran.err;
  for (const char* text : {"f32", "GFLOP/s", "RAM", "images/s", "Use it with --device this."})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  EXPECT_TRUE(read_probe(folder.path() + "/new/this.json").ok());
}

TEST(ProbeVerb, AnUnwritablePlaceIsOneLineAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "here");
  for (const std::string& path : {file + "/this.json", folder.path() + "/none/this.json", folder.path()}) {
    const Ran ran = run_plimsoll({"probe", "--quick", "--quiet", "--out", path});
    EXPECT_EQ(ran.exit_code, 4) << path;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  const KeptIn place(file + "/deep/this.json");
  EXPECT_EQ(run_plimsoll({"probe", "--quick", "--quiet"}).exit_code, 4);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ProbeVerb, ADamagedKeptFileIsOneLineThatSaysToProbeAgain) {
  const TemporaryFolder folder;
  const KeptIn place(folder.write("this.json", "{\"name\": \"this\","));
  const Ran ran = run_plimsoll({"devices", "this"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find("this.json"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("run 'plimsoll probe' again"), std::string::npos) << ran.err;
}

TEST(ProbeVerb, WithoutAProbeTheDeviceSaysThatItIsNotMeasured) {
  const TemporaryFolder folder;
  const KeptIn place(folder.path() + "/none.json");
  const Ran ran = run_plimsoll({"devices", "this"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("this machine is not measured yet"), std::string::npos) << ran.out;
}

// Interrupted in the middle: the signal ends it, and nothing is left.
TEST(ProbeVerb, AnInterruptLeavesNothing) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/this.json";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);  // a shell in the background may have told us to ignore it
    dup2(ends[1], 2);
    close(ends[0]);
    execl(PLIM_PROGRAM, "plimsoll", "probe", "--out", out.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  char first = 0;
  ASSERT_EQ(read(ends[0], &first, 1), 1);  // its first line about what it measures
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace plimsoll
