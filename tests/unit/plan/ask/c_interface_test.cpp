// The C interface as a caller meets it: answers, mistakes, networks from bytes, many threads at once.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.hpp"

namespace plimsoll {
namespace {

Json asked(const std::string& verb, const std::string& request, int expected = PLIMSOLL_YES) {
  const Answer answer = ask(verb, request);
  EXPECT_EQ(answer.code(), expected) << answer.json();
  return Json::parse(answer.json());
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CInterface, AnswersVerbs) {
  EXPECT_EQ(asked("weigh", R"({"model": "resnet50", "top": 1})")["params"], 25'557'032);
  EXPECT_EQ(asked("fit", R"({"model": "resnet50", "device": "nvidia-t4", "brief": true})")["schema"], "plimsoll.fit/1");
  EXPECT_EQ(asked("place", R"({"model": "lenet5", "device": ["nvidia-t4"]})")["ranking"].size(), 1U);
  EXPECT_EQ(asked("scale", R"({"model": "lenet5", "device": "nvidia-t4", "workers": [1, 2]})")["runs"].size(), 2U);
  EXPECT_GT(asked("models", "{}")["models"].size(), 50U);
  EXPECT_EQ(asked("devices", R"({"name": "nvidia-t4"})")["devices"][0]["name"], "nvidia-t4");
  EXPECT_EQ(plimsoll::version(), PLIM_VERSION);
}

TEST(CInterface, DoesNotFitIsAnAnswer) {
  const Json answer = asked("fit", R"({"model": "vgg16", "memory": "1GiB", "batch": 512})", PLIMSOLL_NO);
  EXPECT_EQ(answer["fits"], false);
}

TEST(CInterface, MistakesAreErrorsWithTheFieldsOwnNames) {
  const auto mistake = [](const std::string& verb, const std::string& request) {
    const Json error = asked(verb, request, PLIMSOLL_MISTAKE);
    EXPECT_EQ(error["schema"], "plimsoll.error/1");
    EXPECT_EQ(error["exit_code"], PLIMSOLL_MISTAKE);
    return error["what"].get<std::string>() + " | " + error["hint"].get<std::string>();
  };
  EXPECT_NE(mistake("fitt", "{}").find("did you mean 'fit'"), std::string::npos);
  EXPECT_NE(mistake("fit", R"({"modle": "resnet50"})").find("'model'"), std::string::npos);
  EXPECT_NE(mistake("fit", R"({"model": "resnet50"})").find("neither device nor memory"), std::string::npos);
  EXPECT_NE(mistake("fit", "not json").size(), 0U);
  EXPECT_NE(mistake("fit", "").size(), 0U);
  EXPECT_NE(mistake("weigh", R"({"model": "/no/such/file.onnx"})").size(), 0U);
  char* answer = nullptr;
  EXPECT_EQ(plimsoll_ask(nullptr, "{}", &answer), PLIMSOLL_MISTAKE);
  plimsoll_free(answer);
  EXPECT_EQ(plimsoll_ask("fit", "{}", nullptr), PLIMSOLL_MISTAKE);
  plimsoll_free(nullptr);
  plimsoll_free_model(nullptr);
}

TEST(CInterface, ANetworkFromBytesIsTheFile) {
  const std::string path = PLIM_TEST_DATA "/models/resnet18.onnx", bytes = file_bytes(path);
  const Model model = Model::read(bytes);
  ASSERT_TRUE(model) << model.error();
  const std::string request = R"("batch": 4, "mode": "inference", "top": 3})";
  Json read = Json::parse(model.ask("weigh", "{" + request).json());
  Json file = asked("weigh", R"({"model": ")" + path + R"(", )" + request);
  EXPECT_EQ(read["model"], "the model");
  read.erase("model");
  file.erase("model");
  EXPECT_EQ(read, file);
  const Model none = Model::read("not a network");
  EXPECT_FALSE(none);
  EXPECT_NE(none.error().find("plimsoll.error/1"), std::string::npos);
  EXPECT_FALSE(Model::read(std::string_view(bytes).substr(0, bytes.size() / 2)));
}

// It is a network of tokens from wherever it is read: with adapters, at any length.
TEST(CInterface, AConfigFromMemoryIsTheFile) {
  const std::string path = PLIM_TEST_DATA "/configs/llama-3-8b.json";
  const Model model = Model::read(file_bytes(path));
  ASSERT_TRUE(model) << model.error();
  for (const std::string request :
       {R"("device": "nvidia-a100-80gb", "method": "lora:16", "sequence": 1024, "brief": true})",
        R"("device": "nvidia-h100-80gb", "mode": "generate", "context": 4096, "brief": true})"}) {
    Json read = Json::parse(model.ask("fit", "{" + request).json());
    Json file = asked("fit", R"({"model": ")" + path + R"(", )" + request);
    EXPECT_GT(file.value("batch", 0) + file.value("largest_concurrency", 0), 0) << file;
    for (const char* key : {"model", "sentences"}) {
      read.erase(key);
      file.erase(key);
    }
    EXPECT_EQ(read, file);
  }
}

TEST(CInterface, TenThreadsAtOnceGetTheAnswersOfOne) {
  const Model model = Model::read(file_bytes(PLIM_TEST_DATA "/models/resnet18.onnx"));
  ASSERT_TRUE(model) << model.error();
  const std::string fit = R"({"model": "lenet5", "device": "nvidia-t4"})", weigh = R"({"top": 1})";
  const std::string fitted = ask("fit", fit).json(), weighed = model.ask("weigh", weigh).json();
  std::vector<std::thread> threads;
  for (int i = 0; i < 10; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 5; ++j) {
        EXPECT_EQ(ask("fit", fit).json(), fitted);
        EXPECT_EQ(model.ask("weigh", weigh).json(), weighed);
      }
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace plimsoll
