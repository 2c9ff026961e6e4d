#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "run/data/picture.h"
#include "run/train/judge.h"
#include "run/train/predict_request.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

using nlohmann::json;

// A PNG that is all one colour, a little brighter or darker by `shade`.
std::string plain_picture(uint8_t red, uint8_t blue, int shade) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 12 * 10; ++i)
    for (const int value : {red + shade, 20 + shade, blue + shade}) pixels.push_back(uint8_t(value));
  return *encode_png(pixels, {12, 10}, 3);
}

class PredictVerb : public testing::Test {
 protected:
  PredictVerb() {
    for (const auto* name : {"set", "set/blue", "set/red"})
      std::filesystem::create_directory(folder_.path() + "/" + name);
    for (int i = 0; i < 20; ++i) {
      folder_.write("set/red/" + std::to_string(i) + ".png", plain_picture(200, 30, i));
      folder_.write("set/blue/" + std::to_string(i) + ".png", plain_picture(30, 200, i));
    }
    folder_.write("a.png", plain_picture(190, 40, 3));
    folder_.write("b.png", plain_picture(40, 190, 3));
    folder_.write("text.png", "not a picture");
  }
  Ran run(const std::vector<std::string>& words) { return run_plimsoll(words, folder_.path()); }
  void train() {
    const Ran trained = run({"train", "logistic", "--data", "set", "--input", "3x8x8", "--classes", "2", "--epochs",
                             "8", "--batch", "8", "--lr", "0.1", "--run-dir", "out", "--quiet"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }

  TemporaryFolder folder_;
};

TEST_F(PredictVerb, TellsTheColoursApart) {
  train();
  const Ran ran = run({"predict", "out", "a.png", "b.png", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json said = json::parse(ran.out);
  EXPECT_EQ(said["schema"], "plimsoll.predict/1");
  ASSERT_EQ(said["images"].size(), 2U);
  EXPECT_EQ(said["images"][0]["file"], "a.png");
  EXPECT_EQ(said["images"][0]["classes"][0]["name"], "red");
  EXPECT_EQ(said["images"][0]["classes"][0]["index"], 1);
  EXPECT_EQ(said["images"][1]["classes"][0]["name"], "blue");
  for (const auto& image : said["images"]) {
    ASSERT_EQ(image["classes"].size(), 2U);
    const double first = image["classes"][0]["probability"], second = image["classes"][1]["probability"];
    EXPECT_GT(first, 0.9);
    EXPECT_NEAR(first + second, 1, 1e-6);
  }
  const Ran text = run({"predict", "out/last.json", "a.png", "--top", "1", "--backend", "reference"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("red"), std::string::npos);
  EXPECT_EQ(text.out.find("blue"), std::string::npos);
  EXPECT_EQ(run({"export", "out", "-o", "net.onnx"}).exit_code, 0);
}

TEST_F(PredictVerb, AnExportedFileKnowsItsClassesAndItsNormalisation) {
  train();
  ASSERT_EQ(run({"export", "out", "-o", "net.onnx"}).exit_code, 0);
  const Ran from_run = run({"predict", "out/last.json", "a.png", "b.png", "--json"});
  const Ran from_file = run({"predict", "net.onnx", "a.png", "b.png", "--json"});
  ASSERT_EQ(from_file.exit_code, 0) << from_file.err;
  const json mine = json::parse(from_file.out), its = json::parse(from_run.out);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(mine["images"][i]["classes"][k]["name"], its["images"][i]["classes"][k]["name"]);
      EXPECT_NEAR(mine["images"][i]["classes"][k]["probability"].get<double>(),
                  its["images"][i]["classes"][k]["probability"].get<double>(), 1e-5);
    }
  ASSERT_EQ(run({"export", "out", "-o", "bare.onnx", "--no-weights"}).exit_code, 0);
  const Ran without = run({"predict", "bare.onnx", "a.png"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_EQ(without.err_lines(), 1) << without.err;
}

TEST_F(PredictVerb, TextsAreToldApart) {
  std::string lines = "text,label\n";
  for (int i = 0; i < 40; ++i) lines += i % 2 ? "\"awful, boring film\",neg\n" : "\"great, moving film\",pos\n";
  folder_.write("reviews.csv", lines);
  const Ran trained = run({"train", "textcnn", "--data", "reviews.csv", "--classes", "2", "--epochs", "6", "--batch",
                           "8", "--validation", "0", "--run-dir", "texts"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find("sequences/s"), std::string::npos) << trained.err;
  EXPECT_EQ(trained.err.find("images/s"), std::string::npos) << trained.err;
  const Ran ran = run({"predict", "texts", "a great and moving one", "so boring, so awful", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json said = json::parse(ran.out);
  EXPECT_EQ(said["images"][0]["classes"][0]["name"], "pos") << ran.out;
  EXPECT_EQ(said["images"][1]["classes"][0]["name"], "neg") << ran.out;
}

TEST_F(PredictVerb, MistakesAreOneLine) {
  train();
  const auto expect_mistake = [&](const std::vector<std::string>& words, const std::string& says) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, "");
  };
  expect_mistake({"predict", "out"}, "no picture or text is given");
  expect_mistake({"predict", "out", "absent.png"}, "absent.png");
  expect_mistake({"predict", "out", "a.png", "text.png"}, "text.png");
  expect_mistake({"predict", "out", "set"}, "set");
  expect_mistake({"predict", "set", "a.png"}, "no checkpoint");
  expect_mistake({"predict", "out", "a.png", "--top", "0"}, "--top is '0'");
}

TEST(Probabilities, OfEveryForm) {
  const std::vector<float> scores = {0, std::log(3.0F)}, shares = {0.25F, 0.75F}, one = {0.75F},
                           odds = {std::log(3.0F)};
  const auto expect_shares = [](const std::vector<double>& found) {
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0], 0.25, 1e-6);
    EXPECT_NEAR(found[1], 0.75, 1e-6);
  };
  expect_shares(probabilities(scores, ScoreForm::scores));
  expect_shares(probabilities(shares, ScoreForm::probabilities));
  expect_shares(probabilities(std::vector<float>{std::log(0.25F), std::log(0.75F)}, ScoreForm::log_probabilities));
  expect_shares(probabilities(one, ScoreForm::probabilities));
  expect_shares(probabilities(odds, ScoreForm::scores));
}

TEST(Likeliest, FirstComesFirst) {
  const auto guesses = likeliest({0.2, 0.5, 0.3}, {"a", "b"}, 2);
  ASSERT_EQ(guesses.size(), 2U);
  EXPECT_EQ(guesses[0].name, "b");
  EXPECT_EQ(guesses[1].name, "2");
}

}  // namespace
}  // namespace plimsoll
