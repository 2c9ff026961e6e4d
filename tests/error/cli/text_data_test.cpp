// Mistakes with texts and tokenizers: one line on stderr, exit code 2, nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/language_model.h"

namespace plimsoll {
namespace {

class TextMistakes : public testing::Test {
 protected:
  TextMistakes() : model_(write_small_gpt2(data_)), text_(data_.write("good.txt", small_text(60))) {}

  void expect(const std::vector<std::string>& words, const std::string& message) {
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, 2) << message << "\n" << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << message;
  }
  void train(const std::string& data, const std::string& sequence, const std::string& message) {
    expect({"train", model_, "--data", data, "--sequence", sequence, "--tokenizer", "bytes"}, message);
  }
  void train_with(const std::string& tokenizer, const std::string& message) {
    expect({"train", model_, "--data", text_, "--sequence", "16", "--tokenizer", tokenizer}, message);
  }
  // A tokenizer.json of the 256 bytes with something changed.
  template <class Change>
  std::string tokenizer(const std::string& name, Change change) {
    const Ran ran = run_plimsoll({"train", model_, "--data", text_, "--sequence", "16", "--tokenizer", "bytes",
                                  "--batch", "2", "--max-steps", "1", "--run-dir", name, "--quiet"},
                                 data_.path());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::ifstream in(data_.path() + "/" + name + "/tokenizer.json");
    auto document = nlohmann::json::parse(in);
    change(document);
    return data_.write(name + ".json", document.dump());
  }

  TemporaryFolder data_, folder_;
  std::string model_, text_;
};

TEST_F(TextMistakes, FilesThatAreNoText) {
  train(data_.write("empty.txt", ""), "16", "empty.txt: is empty, expected text");
  train(data_.write("binary.txt", std::string("\x7F"
                                              "ELF\x02\0\0\0\0",
                                              9)),
        "16", "is not text: byte 5 is 0");
  train(data_.write("latin.txt", "caf\xE9 au lait"), "16", "is not UTF-8 text at byte 3");
  train(data_.write("short.txt", "Hello"), "16", "has 6 tokens, fewer than one sequence of 16");
  train(data_.write("no_text.jsonl", "{\"body\": \"x\"}\n"), "16", "line 1: has no \"text\"");
  train(data_.write("broken.jsonl", "{\"text\": \"x\"}\n{\"text\": \n"), "16", "line 2: ");
  std::filesystem::create_directory(data_.path() + "/pictures");
  train(data_.path() + "/pictures", "16", "has no .txt or .jsonl files");
  train(data_.path() + "/missing.txt", "16", "neither a known dataset nor a path");
}

TEST_F(TextMistakes, TextWithoutLabelsIsForLanguageModels) {
  std::filesystem::create_directory(data_.path() + "/prose");
  data_.write("prose/a.txt", small_text(2));
  expect({"data", data_.path() + "/prose"}, "is text without labels, which is for language models");
  expect({"train", "lenet5", "--data", data_.path() + "/prose"}, "is text without labels");
}

TEST_F(TextMistakes, NetworksThatSeeWhatFollows) {
  const std::string bert = data_.write("bert.json", R"({"architectures": ["BertForMaskedLM"], "model_type": "bert",
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "vocab_size": 300})");
  expect({"train", bert, "--data", text_, "--sequence", "16"}, "its attention sees the tokens that follow");
}

TEST_F(TextMistakes, Sequences) {
  train(text_, "0", "--sequence");
  train(text_, "1000000000", "--sequence");
  train(text_, "65", "a sequence of 65 tokens was asked for, the network has positions for 64");
}

TEST_F(TextMistakes, TokenizersThatAreNotKnown) {
  expect({"train", "textcnn", "--data", text_, "--tokenizer", "bytes"}, "--tokenizer is for language models");
  train_with("words", "--tokenizer is 'words', expected bytes, bpe:N or the path of a tokenizer.json");
  train_with("bpe:12", "--tokenizer");
  train_with("bpe:many", "--tokenizer");
  train_with("bpe:99999999999", "--tokenizer");
  train_with("no/such/tokenizer.json", "tokenizer.json: ");
}

TEST_F(TextMistakes, TokenizerFilesThatAreBroken) {
  train_with(data_.write("cut.json", "{\"model\": {\"type\": \"BPE\", "), "found the end of the file, expected JSON");
  train_with(data_.write("list.json", "[]"), "is not a JSON object");
  train_with(data_.write("none.json", "{}"), "has no model");
  train_with(data_.write("deep.json", std::string(1000, '[')), "nested deeper");
  train_with(data_.write("words.json", R"({"model": {"type": "WordPiece"}})"), "a model of the type 'WordPiece'");
  train_with(tokenizer("id", [](auto& json) { json["model"]["vocab"]["A"] = 999'999'999; }),
             "the token 'A' has the number");
  train_with(tokenizer("minus", [](auto& json) { json["model"]["vocab"]["A"] = -1; }),
             "the token 'A' has the number -1");
  train_with(tokenizer("twice", [](auto& json) { json["model"]["vocab"]["A"] = 66; }), "is that of two tokens");
  train_with(tokenizer("byte", [](auto& json) { json["model"]["vocab"].erase("A"); }),
             "has no token for the byte 0x41");
  train_with(tokenizer("merge", [](auto& json) { json["model"]["merges"] = {"A B"}; }), "merge 1 is");
  train_with(tokenizer("space", [](auto& json) { json["pre_tokenizer"] = {{"type", "Metaspace"}}; }), "'Metaspace'");
}

TEST_F(TextMistakes, ATokenizerFileOfMoreThan100MbIsNotRead) {
  const std::string path = data_.write("large.json", "{");
  std::filesystem::resize_file(path, 100'000'001);
  train_with(path, "expected a tokenizer.json of at most");
}

TEST_F(TextMistakes, PromptsAndPictures) {
  expect({"predict", "nowhere"}, "no picture or text is given");
  expect({"predict", "nowhere", "cat.jpg", "--prompt", "x"}, "--prompt and pictures or texts were given");
  expect({"predict", "nowhere", "--prompt", "x", "--temperature", "-1"}, "--temperature");
  expect({"predict", "nowhere", "--prompt", "x", "--tokens", "0"}, "--tokens");
}

}  // namespace
}  // namespace plimsoll
