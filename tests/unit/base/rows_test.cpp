// Rows: what a request reads from words and from JSON, what it refuses, and what is said then.
#include <gtest/gtest.h>

#include "base/rows/named.h"
#include "base/rows/schema.h"

namespace plimsoll {

enum class Colour { red, green };

template <>
struct Choices<Colour> {
  static constexpr std::pair<Colour, std::string_view> kAll[] = {{Colour::red, "red"}, {Colour::green, "green"}};
};

namespace {

struct Sample {
  std::optional<int64_t> batch;
  double share = 0.8;
  Colour colour = Colour::red;
  std::optional<Bytes> memory;
  std::vector<int64_t> threads;
  std::optional<Shape> input;
  bool brief = false;

  void describe(Fields& fields) {
    fields.add(batch, {.name = "batch", .help = "samples per step", .value = "N", .least = 1, .most = 1e9});
    fields.add(share, {.name = "load_line", .help = "how full", .least = 0, .most = 1, .edge = Edge::above});
    fields.add(colour, {.name = "colour", .help = "which"});
    fields.add(memory, {.name = "memory", .help = "how much", .unit = "bytes"});
    fields.add(threads, {.name = "threads", .help = "how many", .least = 1, .most = 8});
    fields.add(input, {.name = "input", .help = "shape"});
    fields.add(brief, {.name = "brief", .help = "say less"});
  }
};

std::string refused(const char* json) {
  Sample sample;
  Fields fields = fields_of(sample);
  const Status status = read_fields(fields, Json::parse(json), "fit");
  return status.ok() ? "" : status.error().line();
}

// As other programs call it, and in other letters; a word that stands for no choice is none.
TEST(Rows, ChoicesAreFoundAsPeopleWriteThem) {
  const std::vector<std::string> frameworks = {"plimsoll", "pytorch", "tensorflow", "llama.cpp"};
  EXPECT_EQ(place_of_choice("PyTorch", frameworks), 1);
  EXPECT_EQ(place_of_choice("torch", frameworks), 1);
  EXPECT_EQ(place_of_choice("Keras", frameworks), 2);
  EXPECT_EQ(place_of_choice("llama-cpp", frameworks), 3);
  EXPECT_EQ(place_of_choice("training", {"inference", "train"}), 1);
  EXPECT_EQ(place_of_choice("training", frameworks), -1);
  EXPECT_EQ(place_of_choice("jax", frameworks), -1);
  EXPECT_EQ(place_of_choice("--", frameworks), -1);
}

TEST(Rows, JsonIsReadIntoMembers) {
  Sample sample;
  Fields fields = fields_of(sample);
  const Json json = Json::parse(
      R"({"batch": 64, "load_line": 0.9, "colour": "green", "memory": "8GiB", "threads": [1, 2], "input": [3, 8, 8],
          "brief": true})");
  ASSERT_TRUE(read_fields(fields, json, "fit").ok());
  EXPECT_EQ(sample.batch, 64);
  EXPECT_EQ(sample.share, 0.9);
  EXPECT_EQ(sample.colour, Colour::green);
  EXPECT_EQ(sample.memory, Bytes(int64_t{8} << 30));
  EXPECT_EQ(sample.threads, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(sample.input, (Shape{3, 8, 8}));
  EXPECT_TRUE(sample.brief);
  EXPECT_EQ(write_request(sample, [](const Row&) { return true; }).size(), 7U);
}

TEST(Rows, WhatIsLeftOutKeepsItsDefaultAndIsNotWritten) {
  Sample sample;
  Fields fields = fields_of(sample);
  ASSERT_TRUE(read_fields(fields, Json::parse(R"({"batch": null, "load_line": 0.8})"), "fit").ok());
  EXPECT_FALSE(sample.batch);
  EXPECT_TRUE(write_request(sample, [](const Row&) { return true; }).empty());
}

TEST(Rows, MemoryWithoutAUnitIsGibibytes) {
  Sample sample;
  Fields fields = fields_of(sample);
  ASSERT_TRUE(read_fields(fields, Json::parse(R"({"memory": "24"})"), "fit").ok());
  EXPECT_EQ(sample.memory, Bytes(int64_t{24} << 30));
}

TEST(Rows, MistakesNameTheFieldAndWhatWasExpected) {
  EXPECT_EQ(refused(R"({"bacth": 1})"), "'bacth' is not a field of fit (did you mean 'batch'?)");
  EXPECT_EQ(refused(R"({"batch": "64"})"), "batch is \"64\", expected a whole number from 1 to 1,000,000,000");
  EXPECT_EQ(refused(R"({"batch": 0})"), "batch is 0, expected a whole number from 1 to 1,000,000,000");
  EXPECT_EQ(refused(R"({"batch": 1.5})"), "batch is 1.5, expected a whole number from 1 to 1,000,000,000");
  EXPECT_EQ(refused(R"({"batch": 18446744073709551615})"),
            "batch is 18446744073709551615, expected a whole number from 1 to 1,000,000,000");
  EXPECT_EQ(refused(R"({"load_line": 0})"), "load_line is 0, expected a number above 0, at most 1");
  EXPECT_EQ(refused(R"({"colour": "blue"})"), "colour is 'blue', expected red or green");
  EXPECT_EQ(refused(R"({"colour": 3})"), "colour is 3, expected red or green");
  EXPECT_NE(refused(R"({"memory": -1})"), "");
  EXPECT_EQ(refused(R"({"memory": 24})"), "memory is 24 bytes, expected more (with a unit it is text: \"24GiB\")");
  EXPECT_EQ(refused(R"({"batch_size": 1})"), "'batch_size' is not a field of fit (did you mean 'batch'?)");
  EXPECT_NE(refused(R"({"threads": [1, 9]})").find("threads is 9"), std::string::npos);
  EXPECT_NE(refused(R"({"input": [3, 0]})"), "");
  EXPECT_EQ(refused(R"({"brief": "yes"})"), "brief is \"yes\", expected true or false");
  EXPECT_EQ(refused("[]"), "the request is [], expected an object, as {\"model\": \"resnet50\"}");
}

TEST(Rows, DefaultsAreTold) {
  Sample sample;
  const Fields fields = fields_of(sample);
  EXPECT_EQ(fields.all()[0].default_text(), "");
  EXPECT_EQ(fields.all()[1].default_text(), "(default: 0.8)");
  EXPECT_EQ(fields.all()[2].default_text(), "(default: red)");
}

TEST(Rows, DefaultsAreToldAsTheyAreTyped) {
  Sample sample;
  sample.share = 1;
  sample.threads = {1, 2};
  Fields fields = fields_of(sample);
  EXPECT_EQ(fields.find("load_line")->default_text(), "(default: 1)");
  EXPECT_EQ(fields.find("threads")->default_text(), "(default: 1,2)");
}

TEST(Rows, TheSchemaIsThatOfTheRows) {
  Sample sample;
  const Json schema = request_schema("fit", fields_of(sample).all());
  EXPECT_EQ(schema["$id"], "plimsoll.fit.request/1");
  EXPECT_EQ(schema["properties"].size(), 7U);
  EXPECT_EQ(schema["properties"]["batch"]["maximum"], 1'000'000'000);
  EXPECT_EQ(schema["properties"]["load_line"]["exclusiveMinimum"], 0);
  EXPECT_EQ(schema["properties"]["load_line"]["default"], 0.8);
  EXPECT_EQ(schema["properties"]["colour"]["enum"], Json::parse(R"(["red", "green"])"));
  EXPECT_EQ(schema["additionalProperties"], false);
}

TEST(Named, FieldsAreCalledAsTheReaderCallsThem) {
  const std::string sentence = named("global_batch") + " and " + named("batch") + " are both given";
  EXPECT_EQ(spoken(sentence, Door::command_line), "--global-batch and --batch are both given");
  EXPECT_EQ(spoken(sentence, Door::json), "global_batch and batch are both given");
  EXPECT_EQ(spoken("nothing to say", Door::json), "nothing to say");
  EXPECT_EQ(spoken_document(Json{{"notes", {named("lr")}}}, Door::command_line)["notes"][0], "--lr");
}

TEST(Named, StaysAMarkInALineThatIsShownLater) {
  const Error error = user_error("expected " + named("batch"), "or " + named("lr") + " \x1f alone\n").in("a\x1b[1m");
  EXPECT_EQ(spoken(error.line(), Door::command_line), "a\\x1B[1m: expected --batch (or --lr \\x1F alone\\n)");
  EXPECT_EQ(spoken(error.line(), Door::json), "a\\x1B[1m: expected batch (or lr \\x1F alone\\n)");
}

}  // namespace
}  // namespace plimsoll
