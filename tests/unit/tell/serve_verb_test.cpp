// plimsoll serve: the address, answers that are the command line's, uploads, and the processes that answer.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"

namespace plimsoll {
namespace {

using nlohmann::json;

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* kSmallLlama =
    R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
        "num_attention_heads": 4, "num_hidden_layers": 2, "num_key_value_heads": 4, "vocab_size": 100,
        "max_position_embeddings": 128, "tie_word_embeddings": false})";

std::string model_file(const std::string& name) { return std::string(PLIM_TEST_DATA) + "/models/" + name; }

json said_by_command_line(const std::vector<std::string>& words) { return json::parse(run_plimsoll(words).out); }

TEST(ServeVerb, EndsWithASignal) {
  ServedPage page;
  EXPECT_GT(page.port(), 0);
  EXPECT_EQ(page.token().size(), 32u);
  EXPECT_EQ(page.get("/").status, 200);
  EXPECT_EQ(page.stop(), 0);
}

TEST(ServeVerb, ATokenIsGoodForOneServerOnly) {
  const ServedPage one, other;
  EXPECT_NE(one.token(), other.token());
  EXPECT_EQ(one.post("/api/session", json{{"token", other.token()}}.dump()).status, 401);
}

TEST(ServeVerb, TakesTheNextPortWhenOneIsTaken) {
  const ServedPage first;
  const ServedPage second({"--port", std::to_string(first.port())});
  EXPECT_GT(second.port(), first.port());
  EXPECT_EQ(second.get("/").status, 200);
}

TEST(ServeVerb, IsOnTheLoopbackOnly) {
  const ServedPage page;
  bool found = false;
  std::ifstream sockets("/proc/net/tcp");
  for (std::string line; std::getline(sockets, line);) {
    if (line.find(fmt::format(":{:04X} 00000000:0000 0A", page.port())) == std::string::npos) continue;
    found = true;
    EXPECT_NE(line.find(fmt::format("0100007F:{:04X}", page.port())), std::string::npos) << line;
  }
  EXPECT_TRUE(found);
}

TEST(ServeVerb, SaysWhatIsWrongWithAPort) {
  const Ran ran = run_plimsoll({"serve", "--port", "70000"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1);
}

TEST(ServeVerb, AnswersAreThoseOfTheCommandLine) {
  const ServedPage page;
  EXPECT_EQ(json::parse(page.post("/api/fit", R"({"model":"resnet18","device":"nvidia-t4","batch":64})").body),
            said_by_command_line({"fit", "resnet18", "--device", "nvidia-t4", "--batch", "64", "--json"}));
  const std::string job = R"({"model":"resnet18","device":["nvidia-t4","intel-i5-8250u"],"dtype":"f32","epochs":3})";
  EXPECT_EQ(json::parse(page.post("/api/place", job).body),
            said_by_command_line({"place", "resnet18", "--device", "nvidia-t4", "--device", "intel-i5-8250u", "--dtype",
                                  "f32", "--epochs", "3", "--json"}));
  EXPECT_EQ(json::parse(page.post("/api/weigh", R"({"model":"resnet18","top":3,"sort":"macs"})").body),
            said_by_command_line({"weigh", "resnet18", "--top", "3", "--sort", "macs", "--json"}));
}

TEST(ServeVerb, AnswersInOneReplyAreTheSame) {
  const ServedPage page;
  const json place{{"model", "resnet18"}, {"device", "nvidia-t4"}, {"batch", 64}}, weigh{{"model", "resnet18"}};
  json fit = place;
  fit["brief"] = true;
  const RawReply reply = page.post("/api/plan", json{{"fit", fit}, {"place", place}, {"weigh", weigh}}.dump());
  ASSERT_EQ(reply.status, 200) << reply.body;
  const json plan = json::parse(reply.body);
  EXPECT_EQ(plan["schema"], "plimsoll.plan/1");
  EXPECT_EQ(plan["fit"], json::parse(page.post("/api/fit", fit.dump()).body));
  EXPECT_EQ(plan["place"], json::parse(page.post("/api/place", place.dump()).body));
  EXPECT_EQ(plan["weigh"], json::parse(page.post("/api/weigh", weigh.dump()).body));
}

TEST(ServeVerb, OneReplyForSeveralQuestionsHasTheFirstMistake) {
  const ServedPage page;
  const json good{{"model", "resnet18"}, {"device", "nvidia-t4"}}, weigh{{"model", "resnet18"}};
  const json wrong{{"model", "resnet19"}, {"device", "nvidia-t4"}};
  for (const json& body : {json{{"fit", wrong}, {"place", good}, {"weigh", weigh}},
                           json{{"fit", good}, {"place", wrong}, {"weigh", weigh}},
                           json{{"fit", good}, {"place", good}, {"weigh", {{"model", "/etc/passwd"}}}}, json::object(),
                           json{{"fit", good}, {"place", 5}, {"weigh", weigh}}}) {
    const RawReply reply = page.post("/api/plan", body.dump());
    EXPECT_EQ(reply.status, 422) << body;
    EXPECT_EQ(json::parse(reply.body)["schema"], "plimsoll.error/1") << body;
  }
}

TEST(ServeVerb, ABriefAnswerIsTheSameWithoutWhatTakesLonger) {
  const ServedPage page;
  json whole = json::parse(page.post("/api/fit", R"({"model":"resnet18","device":"nvidia-t4","batch":64})").body);
  const json brief =
      json::parse(page.post("/api/fit", R"({"model":"resnet18","device":"nvidia-t4","batch":64,"brief":true})").body);
  EXPECT_FALSE(whole["alternatives"].empty());
  EXPECT_EQ(whole.erase("kept_bytes"), 1U);
  whole["alternatives"] = json::array();
  EXPECT_EQ(brief, whole);
}

TEST(ServeVerb, NoPathIsTakenFromAQuestion) {
  const ServedPage page;
  const std::string file = model_file("resnet18.onnx");
  const TemporaryFolder folder;
  const std::string language = folder.write("config.json", kSmallLlama);  // which is asked by another way than the rest
  for (const std::string& body :
       {json{{"model", file}, {"device", "nvidia-t4"}}.dump(), json{{"model", "/etc/passwd"}}.dump(),
        json{{"model", "resnet18"}, {"device", "/etc/passwd"}}.dump(),
        json{{"model", "resnet18"}, {"device", "./mine.json"}}.dump(), json{{"model", "--help"}}.dump(),
        json{{"model", language}, {"device", "nvidia-t4"}}.dump(),
        json{{"model", language}, {"device", "nvidia-t4"}, {"mode", "generate"}}.dump(),
        json{{"model", "upload-00000000000000000000000000000000"}, {"device", "nvidia-t4"}}.dump()})
    for (const char* verb : {"/api/fit", "/api/place", "/api/step", "/api/report"}) {
      const RawReply reply = page.post(verb, body);
      EXPECT_EQ(reply.status, 422) << verb << body << reply.body;
      EXPECT_EQ(json::parse(reply.body)["schema"], "plimsoll.error/1");
    }
}

// cuda:0 and torch:cpu would load PyTorch into the process that answers.
TEST(ServeVerb, NoQuestionLoadsLibraries) {
  const ServedPage page;
  for (const char* device : {"cuda:0", "cuda", "torch:cpu"})
    for (const char* verb : {"/api/fit", "/api/step", "/api/place", "/api/scale", "/api/report"})
      for (const json& named : {json(device), json::array({device})}) {
        const RawReply reply = page.post(verb, json{{"model", "lenet5"}, {"device", named}, {"batch", 4}}.dump());
        EXPECT_EQ(reply.status, 422) << verb << reply.body;
        EXPECT_NE(reply.body.find("is not a device of the catalog"), std::string::npos) << verb << reply.body;
      }
}

TEST(ServeVerb, QuestionsThatAreNone) {
  const ServedPage page;
  for (const char* body : {"", "[]", "{", "\"x\"", R"({"model":"a","model":"b"})", "nonsense", "\xff\xfe"})
    EXPECT_EQ(page.post("/api/fit", body).status, 400) << body;
  EXPECT_EQ(page.post("/api/fit", std::string(10'000, '[')).status, 400);
  for (const char* body :
       {"{}", R"({"model":5})", R"({"model":"resnet18","disk":"sata"})", R"({"model":"resnet18","batch":32})",
        R"({"model":"resnet18","device":"nvidia-t4","batch":"-1"})", R"({"model":"resnet18","device":[["nvidia-t4"]]})",
        R"({"model":"resnet18","device":"nvidia-t4","batch":"1 --memory 5"})", R"({"model":["resnet18"]})",
        R"({"model":"resnet18","device":"nvidia-t4","json":"true"})", R"({"model":"resnet18","device":null})"}) {
    const RawReply reply = page.post("/api/fit", body);
    EXPECT_EQ(reply.status, 422) << body << reply.body;
    EXPECT_EQ(json::parse(reply.body)["exit_code"], 2) << body;
  }
  EXPECT_EQ(page.post("/api/scale", R"({"model":"resnet18"})").status, 422);
}

TEST(ServeVerb, AnUploadIsReadByTheSameImporter) {
  const ServedPage page;
  const RawReply sent = page.post("/api/upload", file_text(model_file("resnet18.onnx")), "application/octet-stream");
  ASSERT_EQ(sent.status, 200) << sent.body;
  const std::string name = json::parse(sent.body)["model"];
  EXPECT_TRUE(name.starts_with("upload-"));
  json fit =
      json::parse(page.post("/api/fit", json{{"model", name}, {"device", "nvidia-t4"}, {"batch", 8}}.dump()).body);
  json same =
      said_by_command_line({"fit", model_file("resnet18.onnx"), "--device", "nvidia-t4", "--batch", "8", "--json"});
  fit.erase("model");
  same.erase("model");
  EXPECT_EQ(fit, same);
}

// A config.json is known by how it begins: the process that reads it knows no name.
TEST(ServeVerb, AnUploadedConfigIsALanguageModel) {
  const ServedPage page;
  const json network = json::parse(page.post("/api/upload", kSmallLlama, "application/octet-stream").body);
  ASSERT_EQ(network["language_model"], true) << network;
  const json asked{
      {"model", network["model"]}, {"device", "nvidia-t4"}, {"batch", 1}, {"sequence", 64}, {"brief", true}};
  const RawReply fit = page.post("/api/fit", asked.dump());
  ASSERT_EQ(fit.status, 200) << fit.body;
  EXPECT_EQ(json::parse(fit.body)["model"], network["model"]);
  EXPECT_EQ(fit.body.find("/proc/"), std::string::npos) << fit.body;
}

// Names as the command line takes them, and the step of a fit operation by operation.
TEST(ServeVerb, TheStepOfAFitHasAnEntryForEachOperation) {
  const ServedPage page;
  for (const char* method : {"full", "freeze:conv1*,bn1*,layer*"}) {
    const json asked{{"model", "ResNet-18"}, {"device", "T4"}, {"batch", 8}, {"method", method}};
    const json fit = json::parse(page.post("/api/fit", asked.dump()).body);
    const json step = json::parse(page.post("/api/step", asked.dump()).body);
    ASSERT_EQ(step["schema"], "plimsoll.step/1") << step;
    ASSERT_EQ(step["operations"].size(), fit["timeline"].size()) << method;
    for (size_t i = 0; i < fit["timeline"].size(); ++i) {
      int64_t alive = 0;
      for (const auto& bytes : step["operations"][i]["alive_bytes"]) alive += bytes.get<int64_t>();
      EXPECT_LE(alive, fit["timeline"][i].get<int64_t>()) << step["operations"][i];
      EXPECT_GE(step["operations"][i]["seconds"], 0);
    }
  }
}

// A training in tokens: its memory operation by operation reaches the peak of fit, its times are on the roofline.
TEST(ServeVerb, TheStepOfATrainingInTokens) {
  const ServedPage page;
  const json asked{
      {"model", "llama-3.2-1b"}, {"device", "nvidia-t4"}, {"batch", 1}, {"sequence", 512}, {"method", "lora:8"}};
  const json fit = json::parse(page.post("/api/fit", asked.dump()).body);
  const json step = json::parse(page.post("/api/step", asked.dump()).body);
  ASSERT_EQ(step["schema"], "plimsoll.step/1") << step;
  int64_t most = 0;
  for (const auto& moment : step["moments"]) {
    ASSERT_EQ(moment["bytes"].size(), step["parts"].size());
    int64_t sum = 0;
    for (const auto& bytes : moment["bytes"]) sum += bytes.get<int64_t>();
    most = std::max(most, sum);
  }
  EXPECT_NEAR(double(most), fit["peak_bytes"].get<double>(), 32);
  double flops = 0;
  for (const auto& kernel : step["kernels"]) {
    EXPECT_GT(kernel["seconds"], 0) << kernel;
    EXPECT_GT(kernel["moved_bytes"], 0) << kernel;
    EXPECT_LE(kernel["flops"].get<double>() / kernel["seconds"].get<double>(), step["peak_flops_per_second"]) << kernel;
    flops += kernel["flops"].get<double>();
  }
  EXPECT_GT(flops, 4.0 * 1.2e9 * 512);  // forward, and back to what is read
}

TEST(ServeVerb, AHostileUploadIsAnErrorAndLeavesNothing) {
  const ServedPage page;
  const std::string good = file_text(model_file("resnet18.onnx"));
  for (const std::string& bytes : {std::string(), std::string("<html>"), good.substr(0, good.size() / 2),
                                   std::string(1 << 20, '\0'), std::string("\x3a\xff\xff\xff\xff\x7f\x01", 7)}) {
    const RawReply reply = page.post("/api/upload", bytes, "application/octet-stream");
    EXPECT_EQ(reply.status, 422) << bytes.size();
    const json error = json::parse(reply.body);
    EXPECT_EQ(error["schema"], "plimsoll.error/1");
    EXPECT_EQ(reply.body.find("/proc/"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(page.post("/api/upload", good, "application/octet-stream").status, 200);
}

TEST(ServeVerb, TheOldestUploadMakesRoom) {
  const ServedPage page;
  const std::string good = file_text(model_file("alexnet.onnx"));
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i)
    names.push_back(json::parse(page.post("/api/upload", good, "application/octet-stream").body)["model"]);
  const auto asked = [&](const std::string& name) {
    return page.post("/api/weigh", json{{"model", name}, {"top", 1}}.dump()).status;
  };
  EXPECT_EQ(asked(names[0]), 422);
  EXPECT_EQ(asked(names[4]), 200);
}

// The processes that answer are killed: the next question starts another.
TEST(ServeVerb, AProcessThatDiesIsReplaced) {
  const ServedPage page;
  const std::string question = R"({"model":"alexnet","device":"nvidia-t4"})";
  EXPECT_EQ(page.post("/api/fit", question).status, 200);
  int killed = 0;
  for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", page.pid()))) {
    std::ifstream children(task.path() / "children");
    for (int child = 0; children >> child; ++killed) kill(child, SIGKILL);
  }
  EXPECT_GT(killed, 0);
  int status = 0;
  for (int i = 0; i < 3 && status != 200; ++i) status = page.post("/api/fit", question).status;
  EXPECT_EQ(status, 200);
}

// The same question again, when the plans of a network are known: what was asked before makes no difference.
TEST(ServeVerb, WhatWasAskedBeforeChangesNoAnswer) {
  const ServedPage page;
  const auto asked = [&](const std::string& batch) {
    return json::parse(
        page.post("/api/fit",
                  json{{"model", "lenet5"}, {"device", "this"}, {"batch", std::stoi(batch)}, {"brief", true}}.dump())
            .body);
  };
  for (const char* batch : {"1", "48", "7", "100000000", "48"})
    EXPECT_EQ(asked(batch),
              said_by_command_line({"fit", "lenet5", "--device", "this", "--batch", batch, "--brief", "--json"}));
}

TEST(ServeVerb, ThePageIsInTheProgram) {
  const ServedPage page;
  const RawReply html = page.get("/");
  EXPECT_TRUE(html.has("content-type: text/html"));
  EXPECT_NE(html.body.find("app.js"), std::string::npos);
  EXPECT_EQ(html.body.find("http:"), std::string::npos) << "something is fetched from elsewhere";
  EXPECT_EQ(html.body.find("https:"), std::string::npos) << "something is fetched from elsewhere";
  EXPECT_GT(page.get("/app.js").body.size(), 10'000u);
  EXPECT_TRUE(page.get("/theme.js").has("content-type: text/javascript"));
  EXPECT_TRUE(page.get("/app.css").has("content-type: text/css"));
}

}  // namespace
}  // namespace plimsoll
