// The mistakes of repro_test.cpp in other clothes: the same thing as another exporter writes it, made up here. Expected
// figures follow from the shapes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

struct Said {
  int code = 0;
  Json answer;

  double number(const std::string& key) const { return answer.value(key, -1.0); }
  std::string text() const { return answer.dump(); }
};

Said ask_about(const OnnxModel& model, const std::string& verb, const Json& request) {
  const std::string bytes = model.bytes();
  Said said;
  char* text = nullptr;
  plimsoll_model* loaded = nullptr;
  said.code = plimsoll_load_model(bytes.data(), bytes.size(), &loaded, &text);
  if (loaded) said.code = plimsoll_ask_model(verb.c_str(), loaded, request.dump().c_str(), &text);
  said.answer = Json::parse(text ? text : "null");
  plimsoll_free(text);
  plimsoll_free_model(loaded);
  return said;
}

const Json kOnAGpu = {{"device", "nvidia-rtx-4090"}, {"brief", true}};

Json with(Json request, const Json& more) {
  request.update(more);
  return request;
}

void set_text(onnx::NodeProto& node, const char* name, const std::string& text) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::STRING);
  attribute->set_s(text);
}

// A weight of 512 × 32,000 has one gradient, 62.5 MiB, however its product with a batch of rows is written; one for
// each of 8 samples would be 500 MiB more.
TEST(ReproVariations, OneGradientHoweverTheProductIsWritten) {
  for (const std::string how : {"MatMul", "Einsum", "four axes", "turned", "turned in an Einsum", "from the left"}) {
    OnnxModel model;
    const bool turned = how.starts_with("turned") || how == "from the left";
    model.weight("w", turned ? std::vector<int64_t>{32'000, 512} : std::vector<int64_t>{512, 32'000});
    if (how == "four axes") model.input("x", {"b", 4, 64, 512});
    else if (how == "from the left") model.input("x", {"b", 512, 256});
    else model.input("x", {"b", 256, 512});
    if (how == "turned") {
      model.node("Transpose", {"w"}, {"t"});
      model.node("MatMul", {"x", "t"}, {"y"});
    } else if (how == "from the left") {
      model.node("MatMul", {"w", "x"}, {"y"});
    } else if (how.ends_with("Einsum")) {
      set_text(model.node("Einsum", {"x", "w"}, {"y"}), "equation", turned ? "bsd,vd->bsv" : "bsd,dv->bsv");
    } else {
      model.node("MatMul", {"x", "w"}, {"y"});
    }
    model.output("y");
    const Said said = ask_about(model, "fit", with(kOnAGpu, {{"batch", 8}}));
    EXPECT_EQ(said.code, PLIMSOLL_YES) << how << said.text();
    EXPECT_LT(said.number("peak_bytes"), 2.0 * 1024 * 1024 * 1024) << how;
  }
}

// Detectors with open height and width.
TEST(ReproVariations, APictureOfAnySizeWithoutABatchIsOneSample) {
  OnnxModel model;
  model.input("x", {3, "height", "width"});
  model.weight("w", {16, 3, 3, 3});
  model.integers("axes", {0});
  model.node("Unsqueeze", {"x", "axes"}, {"u"});
  model.node("Conv", {"u", "w"}, {"y"});
  model.output("y");
  const Json sizes = {{"dim", {"height=64", "width=64"}}};
  const Said weighed = ask_about(model, "weigh", sizes);
  EXPECT_EQ(weighed.number("macs"), 62 * 62 * 16 * 27) << weighed.text();
  const Said said = ask_about(model, "fit", with(with(kOnAGpu, sizes), {{"mode", "inference"}, {"batch", 1}}));
  EXPECT_EQ(said.code, PLIMSOLL_YES) << said.text();
}

// Between what is known: a lower bound for inference; of a training step no bound would be worth anything.
TEST(ReproVariations, AnUnknownOperationIsNamed) {
  OnnxModel model;
  model.input("x", {"b", 3, 32, 32});
  model.weight("w", {16, 3, 3, 3});
  model.weight("v", {8, 16, 3, 3});
  model.node("Conv", {"x", "w"}, {"h"});
  model.node("Mystery", {"h"}, {"g"}).set_domain("my.ops");
  model.node("Conv", {"g", "v"}, {"y"});
  model.output("y");
  auto* domain = model.proto.add_opset_import();
  domain->set_domain("my.ops");
  domain->set_version(1);
  const Said inference = ask_about(model, "fit", with(kOnAGpu, {{"mode", "inference"}}));
  EXPECT_TRUE(inference.answer.value("lower_bound", false)) << inference.text();
  const Said training = ask_about(model, "fit", kOnAGpu);
  EXPECT_EQ(training.code, PLIMSOLL_MISTAKE) << training.text();
  EXPECT_NE(training.text().find("my.ops:Mystery"), std::string::npos) << training.text();
}

// Heads cut by sizes that the exporter wrote down for its own batch.
TEST(ReproVariations, AFixedBatchInsideOfShapesIsFollowed) {
  for (const int64_t own : {1, 3}) {
    OnnxModel model;
    model.input("x", {int(own), 16, 64});
    model.weight("w", {64, 64});
    model.weight("v", {1024, 10});
    model.integers("cut", {own, 16, 4, 16});
    model.integers("flat", {own, 1024});
    model.node("MatMul", {"x", "w"}, {"h"});
    model.node("Reshape", {"h", "cut"}, {"r"});
    model.node("Reshape", {"r", "flat"}, {"f"});
    model.node("MatMul", {"f", "v"}, {"y"});
    model.output("y");
    const double one = ask_about(model, "weigh", {{"batch", 1}}).number("macs");
    EXPECT_EQ(one, 16 * 64 * 64 + 1024 * 10);
    for (const int64_t batch : {int64_t{1}, int64_t{2}, own, int64_t{8}}) {
      EXPECT_EQ(ask_about(model, "weigh", {{"batch", batch}}).number("macs"), double(batch) * one);
      EXPECT_EQ(ask_about(model, "fit", with(kOnAGpu, {{"batch", batch}})).code, PLIMSOLL_YES) << own << " " << batch;
    }
  }
}

}  // namespace
}  // namespace plimsoll
