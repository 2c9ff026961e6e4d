// Uploads to the page: sizes that a file leaves open are asked for, and a file that would take long or much is refused
// in a sentence while the server stays small and answers others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr const char* kBytes = "application/octet-stream";

// What the system says of a process: "VmHWM:" is the most that it had resident.
int64_t kib_of(int pid, const std::string& field) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(field)) return std::stoll(line.substr(field.size()));
  return 0;
}

std::vector<int> children_of(int pid) {
  std::vector<int> found;
  for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid))) {
    std::ifstream children(task.path() / "children");
    for (int child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

// As many nodes as the importer takes: they need a multiple of the file's size.
[[maybe_unused]] std::string chain(int nodes) {
  OnnxModel model;
  model.input("t0", {"batch", 4});
  for (int i = 0; i < nodes; ++i)
    model.node("Relu", {fmt::format("t{}", i)}, {fmt::format("t{}", i + 1)}, fmt::format("n{}", i));
  model.output(fmt::format("t{}", nodes));
  return model.bytes();
}

std::string open_network() {
  OnnxModel model;
  model.input("x", {"batch", "sequence", 8});
  model.weight("w", {8, 4});
  model.node("MatMul", {"x", "w"}, {"y"}, "project");
  model.output("y");
  return model.bytes();
}

json uploaded(const ServedPage& page, const std::string& bytes) {
  const RawReply reply = page.post("/api/upload", bytes, kBytes);
  EXPECT_EQ(reply.status, 200) << reply.body;
  return json::parse(reply.body);
}

TEST(Upload, SizesThatItLeavesOpenAreAskedForAndSaid) {
  const ServedPage page;
  const json network = uploaded(page, open_network());
  EXPECT_EQ(network["schema"], "plimsoll.network/1");
  EXPECT_EQ(network["open_sizes"], json::array({"sequence"}));
  const std::string model = network["model"];
  const json question{{"model", model}, {"device", "nvidia-t4"}, {"batch", 2}, {"brief", true}};
  const RawReply without = page.post("/api/fit", question.dump());
  EXPECT_EQ(without.status, 422);
  EXPECT_NE(without.body.find("sequence"), std::string::npos) << without.body;
  EXPECT_EQ(without.body.find("/proc/"), std::string::npos) << without.body;
  EXPECT_NE(without.body.find("the file"), std::string::npos) << without.body;
  const TemporaryFolder folder;
  const std::string file = folder.write("open.onnx", open_network());
  for (const std::string size : {"16", "512"}) {
    json with = question;
    with["dim"] = json::array({"sequence=" + size});
    const RawReply reply = page.post("/api/fit", with.dump());
    ASSERT_EQ(reply.status, 200) << reply.body;
    json said = json::parse(reply.body),
         same = json::parse(run_plimsoll({"fit", file, "--device", "nvidia-t4", "--batch", "2", "--brief", "--dim",
                                          "sequence=" + size, "--json"})
                                .out);
    said.erase("model");
    same.erase("model");
    EXPECT_EQ(said, same);
    for (const char* verb : {"/api/weigh", "/api/place", "/api/scale"}) {
      json other{{"dim", with["dim"]}, {"model", model}};
      if (std::string(verb) != "/api/weigh") other["device"] = "nvidia-t4";
      EXPECT_EQ(page.post(verb, other.dump()).status, 200) << verb;
    }
  }
}

TEST(Upload, NothingIsAskedOfAFileThatLeavesNothingOpen) {
  const ServedPage page;
  OnnxModel model;
  add_small_network(model);
  EXPECT_EQ(uploaded(page, model.bytes())["open_sizes"], json::array());
}

// A process that stands still is one that takes too long, on any machine; a busy one has time for its first answer.
TEST(Upload, OneThatTakesTooLongIsGivenUp) {
  const ServedPage page({"--upload-seconds", "5"});
  const std::string model = uploaded(page, open_network())["model"];
  const std::string question = json{{"model", model}, {"dim", "sequence=4"}}.dump();
  const std::vector<int> processes = children_of(page.pid());
  ASSERT_EQ(processes.size(), 1u);
  kill(processes[0], SIGSTOP);
  const RawReply reply = page.post("/api/weigh", question);
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.body.find("took more than 5 s"), std::string::npos) << reply.body;
  EXPECT_EQ(children_of(page.pid()).size(), 0u) << "the process that was given up is still there";
  EXPECT_EQ(page.post("/api/weigh", question).status, 200);  // by another
}

// Under a sanitizer addresses cannot be limited.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Upload, OneThatTakesTooMuchIsRefused) {
  const ServedPage page({"--upload-memory", "100MiB"});
  const RawReply reply = page.post("/api/upload", chain(150'000), kBytes);
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.body.find("memory"), std::string::npos) << reply.body;
  OnnxModel model;
  add_small_network(model);
  EXPECT_EQ(page.post("/api/upload", model.bytes(), kBytes).status, 200);
}
#endif

// Bodies go to disk and answers are short: what is uploaded does not pass through the server's memory.
TEST(Upload, TheServerStaysSmall) {
  const ServedPage page;
  const std::string small = open_network();
  uploaded(page, small);
  const int64_t before = kib_of(page.pid(), "VmHWM:");
  EXPECT_GT(before, 0);
  const std::string large = small + std::string(size_t{192} << 20, '\x7f');  // not ONNX any more
  for (int i = 0; i < 2; ++i) EXPECT_EQ(page.post("/api/upload", large, kBytes).status, 422);
  EXPECT_LT(kib_of(page.pid(), "VmHWM:") - before, 16 << 10);
}

TEST(Upload, LimitsThatAreNone) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--upload-seconds", "0"}, {"--upload-seconds", "1e9"}, {"--upload-memory", "much"}}) {
    std::vector<std::string> words{"serve", "--port", "0"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Ran ran = run_plimsoll(words);
    EXPECT_EQ(ran.exit_code, 2) << flags[0] << " " << flags[1];
    EXPECT_EQ(ran.err_lines(), 1);
  }
}

}  // namespace
}  // namespace plimsoll
