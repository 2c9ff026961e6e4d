// train, eval, predict and export of a language model from the command line, on a text that is learned in a moment.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/language_model.h"

namespace plimsoll {
namespace {

using Document = nlohmann::json;

class LanguageVerbs : public testing::Test {
 protected:
  LanguageVerbs() : model_(write_small_gpt2(data_)), text_(data_.write("ships.txt", small_text())) {}

  std::vector<std::string> train(const std::string& name, std::vector<std::string> more) const {
    std::vector<std::string> all{"train",   model_,        "--data", text_,       "--sequence", "32",
                                 "--batch", "8",           "--json", "--lr",      "3e-3",       "--threads",
                                 "1",       "--optimizer", "adamw",  "--run-dir", name};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Document answer(const std::vector<std::string>& words) const {
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.exit_code == 0 ? Document::parse(ran.out) : Document();
  }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_.path() + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string weights(const std::string& run) const {
    return read(run + "/" + Document::parse(read(run + "/last.json"))["tensors"].get<std::string>());
  }

  TemporaryFolder data_, folder_;
  std::string model_, text_;
};

TEST_F(LanguageVerbs, LearnsTheTextAndSaysHowWell) {
  const auto json = answer(train("run", {"--epochs", "6", "--tokenizer", "bpe:300"}));
  ASSERT_EQ(json["epochs"].size(), 6u);
  const auto &first = json["epochs"][0], &last = json["epochs"][5];
  EXPECT_EQ(json["classes"], 300);  // the network's vocabulary is the text's
  EXPECT_LT(first["train_loss"].get<double>(), std::log(300.0) + 0.5);
  EXPECT_LT(last["val_perplexity"].get<double>(), 12);
  EXPECT_DOUBLE_EQ(last["val_perplexity"].get<double>(), std::exp(last["val_loss"].get<double>()));
  EXPECT_DOUBLE_EQ(last["train_perplexity"].get<double>(), std::exp(last["train_loss"].get<double>()));
  EXPECT_NEAR(last["tokens_per_second"].get<double>(), 32 * last["images_per_second"].get<double>(), 1e-6);
#ifndef __SANITIZE_ADDRESS__  // which has memory of its own beside all that is ours
  EXPECT_NEAR(json["peak_bytes"].get<double>(), json["planned_bytes"].get<double>(), 16 << 20);
#endif
  EXPECT_NE(read("run/report.html").find("Validation perplexity"), std::string::npos);

  const auto eval = answer({"eval", "run", "--json", "--threads", "1"});
  EXPECT_EQ(eval["part"], "validation");
  EXPECT_DOUBLE_EQ(eval["loss"].get<double>(), last["val_loss"].get<double>());
  EXPECT_DOUBLE_EQ(eval["perplexity"].get<double>(), last["val_perplexity"].get<double>());
  EXPECT_EQ(eval["tokens"].get<int64_t>(), 32 * eval["samples"].get<int64_t>());
}

TEST_F(LanguageVerbs, OtherTextIsReadWithTheRunsOwnVocabulary) {
  ASSERT_FALSE(answer(train("run", {"--epochs", "3", "--tokenizer", "bpe:290"})).is_null());
  const std::string other = data_.write("other.txt", small_text(40));
  const auto known = answer({"eval", "run", "--data", other, "--json"});
  const std::string strange = data_.write("strange.txt", std::string(20, '\n') + "Zzyzx qwertz! " + small_text(1));
  const auto unknown = answer({"eval", "run", "--data", strange, "--json"});
  EXPECT_LT(known["perplexity"].get<double>(), unknown["perplexity"].get<double>());
}

TEST_F(LanguageVerbs, AResumedRunIsTheSameBitByBit) {
  const auto whole = answer(train("whole", {"--epochs", "2", "--tokenizer", "bpe:280"}));
  ASSERT_FALSE(answer(train("parts", {"--epochs", "2", "--tokenizer", "bpe:280", "--max-steps", "17"})).is_null());
  const auto resumed = answer({"train", "--resume", "--run-dir", "parts", "--json"});
  EXPECT_EQ(whole["epochs"][1]["train_loss"], resumed["epochs"][1]["train_loss"]);
  EXPECT_EQ(whole["epochs"][1]["val_loss"], resumed["epochs"][1]["val_loss"]);
  EXPECT_EQ(weights("whole"), weights("parts"));
}

TEST_F(LanguageVerbs, BytesNeedNoVocabulary) {
  const auto json = answer(train("run", {"--max-steps", "3", "--tokenizer", "bytes"}));
  EXPECT_EQ(json["classes"], 256);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/run/tokenizer.json"));
}

TEST_F(LanguageVerbs, AGivenTokenizerIsKeptAsItIs) {
  ASSERT_FALSE(answer(train("one", {"--max-steps", "2", "--tokenizer", "bpe:300"})).is_null());
  const auto two = answer(train("two", {"--max-steps", "2", "--tokenizer", "one/tokenizer.json"}));
  EXPECT_EQ(two["classes"], 300);
  EXPECT_EQ(read("one/tokenizer.json"), read("two/tokenizer.json"));
  EXPECT_EQ(weights("one"), weights("two"));
}

TEST_F(LanguageVerbs, GoesOnWithAText) {
  ASSERT_FALSE(answer(train("run", {"--epochs", "6", "--tokenizer", "bpe:300"})).is_null());
  const auto write = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"predict", "run", "--prompt", "The ship carries", "--tokens", "40", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return answer(words)["written"]["text"].get<std::string>();
  };
  const std::string likeliest = write({"--temperature", "0"});
  EXPECT_NE(likeliest.find(" boxes to the"), std::string::npos) << likeliest;
  EXPECT_EQ(write({"--temperature", "5", "--top-k", "1"}), likeliest);
  EXPECT_EQ(write({"--seed", "3"}), write({"--seed", "3"}));
  EXPECT_NE(write({"--seed", "3", "--temperature", "1.5"}), write({"--seed", "4", "--temperature", "1.5"}));
  const Ran shown = run_plimsoll({"predict", "run", "--prompt", "The ship", "--tokens", "5"}, folder_.path());
  EXPECT_EQ(shown.out.find("The ship"), 0u) << shown.out;
  EXPECT_NE(shown.out.find("tokens/s"), std::string::npos) << shown.out;
}

TEST_F(LanguageVerbs, AnExportedNetworkTakesItsVocabularyAlong) {
  ASSERT_FALSE(answer(train("run", {"--epochs", "4", "--tokenizer", "bpe:280"})).is_null());
  const Ran exported = run_plimsoll({"export", "run", "--output", "ships.onnx"}, folder_.path());
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const auto write = [&](const std::string& from) {
    return answer({"predict", from, "--prompt", "The ship", "--tokens", "30", "--temperature", "0", "--json"});
  };
  EXPECT_EQ(write("ships.onnx")["written"]["text"], write("run")["written"]["text"]);
}

}  // namespace
}  // namespace plimsoll
