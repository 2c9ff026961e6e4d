// From a path to its parts, and from parts to what a network trains on.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/rows/named.h"
#include "model/ir/bind.h"
#include "model/zoo/all_models.h"
#include "run/data/inspect.h"
#include "run/data/prepare.h"
#include "tests/harness/run_program.h"
#include "tests/unit/run/data/made_pictures.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class PartsTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(folder_.path() + "/" + name).parent_path());
    folder_.write(name, bytes);
  }
  void write_idx() {
    write("idx/train-images-idx3-ubyte", idx_images(30));
    write("idx/train-labels-idx1-ubyte", idx_labels(30));
    write("idx/t10k-images-idx3-ubyte", idx_images(6));
    write("idx/t10k-labels-idx1-ubyte", idx_labels(6));
  }
  Result<DataParts> open(const std::string& name, std::optional<TensorType> input = {}) {
    return open_dataset({.name = folder_.path() + "/" + name, .input = std::move(input)});
  }
  TemporaryFolder folder_;
};

TEST_F(PartsTest, FormatsAreToldByTheirFiles) {
  write_idx();
  write("cifar/data_batch_1.bin", cifar_record(1, 2) + cifar_record(2, 2));
  write("cifar/data_batch_2.bin", cifar_record(3, 2));
  write("cifar/test_batch.bin", cifar_record(4, 2));
  write("hundred/train.bin", char(0) + cifar_record(99, 2));
  write("text/train.csv", "a,b c\nb,d");
  write("text/test.csv", "a,c");
  write("pictures/train/a/1.png", flat_png(4, 4, "abc"));
  write("pictures/train/b/1.png", flat_png(4, 4, "abc"));
  write("pictures/val/b/1.png", flat_png(6, 6, "abc"));
  write("pictures/test/b/1.png", flat_png(8, 8, "abc"));
  const auto idx = open("idx"), file = open("idx/t10k-images-idx3-ubyte"), cifar = open("cifar");
  const auto hundred = open("hundred"), text = open("text"), pictures = open("pictures"), flat = open("pictures/train");
  for (const auto* parts : {&idx, &file, &cifar, &hundred, &text, &pictures, &flat})
    ASSERT_TRUE(parts->ok()) << parts->error().line();
  EXPECT_EQ(idx->train->size(), 30);
  EXPECT_EQ(idx->test->size(), 6);
  EXPECT_EQ(file->train->size(), 6);
  EXPECT_EQ(file->test, nullptr);
  EXPECT_EQ(cifar->train->size(), 3);
  EXPECT_EQ(cifar->test->size(), 1);
  EXPECT_EQ(hundred->train->info().type.classes, 100);
  EXPECT_EQ(text->test->info().type.classes, 2);
  EXPECT_EQ(pictures->validation->info().type.input.shape, (Shape{3, 4, 4}));  // the training part's
  EXPECT_EQ(pictures->test->size(), 1);
  EXPECT_EQ(flat->train->info().type.classes, 2);
}

TEST_F(PartsTest, WhatIsNoDataset) {
  write("model.onnx", "x");
  EXPECT_NE(open("model.onnx").error().line().find("is in no known format"), std::string::npos);
  const auto unknown = open_dataset({.name = "cifar11"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().line().find("did you mean 'cifar10'?"), std::string::npos);
}

TEST_F(PartsTest, PreparedForANetwork) {
  write_idx();
  const auto parts = open("idx");
  ASSERT_TRUE(parts.ok());
  const NetworkInput network{{DType::f32, {3, 8, 8}}, 3};
  const auto data = prepare(*parts, network, {.validation = 0.1, .augment = {.flip = true}});
  ASSERT_TRUE(data.ok()) << data.error().line();
  EXPECT_EQ(data->train->size(), 27);
  EXPECT_EQ(data->validation->size(), 3);
  EXPECT_EQ(data->test->size(), 6);
  for (const auto& part : {data->train, data->validation, data->test})
    EXPECT_EQ(part->info().type.input, network.sample);
  const auto summary = inspect_part(data->train, "train", 2);
  ASSERT_TRUE(summary.ok());
  EXPECT_NEAR(summary->statistics.mean[0] * 255, 0, 1e-4);
  EXPECT_NEAR(summary->statistics.deviation[2] * 255, 1, 1e-4);
  EXPECT_EQ(summary->counts, (std::vector<int64_t>{9, 9, 9}));
  const auto without = prepare(*parts, network, {.validation = 0});
  EXPECT_EQ(without->validation, nullptr);
}

TEST_F(PartsTest, FlatNetworksAreNormalisedByChannelToo) {
  write_idx();
  const auto parts = open("idx");
  const auto data = prepare(*parts, {{DType::f32, {20}}, 3}, {.augment = {.shift = 1}});
  ASSERT_TRUE(data.ok()) << data.error().line();
  EXPECT_EQ(data->train->info().type.input.shape, (Shape{20}));
  const auto scaled = prepare(*parts, {{DType::f32, {20}}, 3}, {.normalise = Normalise::scale});
  EXPECT_FLOAT_EQ(read_sample(*scaled->test, 5)->numbers[0], 50 / 255.0F);
  const auto raw = prepare(*parts, {{DType::f32, {20}}, 3}, {.normalise = Normalise::none});
  EXPECT_EQ(read_sample(*raw->test, 5)->numbers[0], 50);
}

TEST_F(PartsTest, ClassesMustAgreeWithTheNetwork) {
  write_idx();
  const auto parts = open("idx");
  const auto data = prepare(*parts, {{DType::f32, {1, 4, 5}}, 10}, {});
  ASSERT_FALSE(data.ok());
  EXPECT_NE(spoken(data.error().line(), Door::command_line)
                .find("has 3 classes, the network has 10 outputs (build the network with --classes 3)"),
            std::string::npos);
  write("two/data_batch_1.bin", cifar_record(1, 2));
  EXPECT_FALSE(check_classes(*open("two")->train, 1).ok());
}

TEST_F(PartsTest, ATestSetWithAnotherLabelIsRefused) {
  write_idx();
  write("idx/t10k-labels-idx1-ubyte", idx_bytes({6}, std::string("\0\1\2\0\1\7", 6)));
  EXPECT_NE(open("idx").error().line().find("sample 5 has label 7, expected 0 to 2"), std::string::npos);
}

TEST_F(PartsTest, WhatNetworksWant) {
  for (const auto& [name, shape, classes, vocabulary] :
       {std::tuple{"fmnist_cnn", Shape{1, 28, 28}, 10, 0}, std::tuple{"textcnn", Shape{64}, 2, 20'000}}) {
    const auto graph = build_model(name, {});
    ASSERT_TRUE(graph.ok());
    const auto program = bind(*graph, {.batch = 4});
    ASSERT_TRUE(program.ok());
    const auto wanted = network_input(*program);
    ASSERT_TRUE(wanted.ok()) << wanted.error().line();
    EXPECT_EQ(wanted->sample.shape, shape);
    EXPECT_EQ(wanted->classes, classes);
    if (vocabulary > 0) {
      EXPECT_EQ(wanted->vocabulary, vocabulary);
    }
  }
}

TEST_F(PartsTest, TextForAPictureNetworkIsRefused) {
  write("text/train.csv", "a,b c\nb,d");
  EXPECT_NE(open("text", TensorType{DType::f32, {3, 4, 4}}).error().line().find("is text, the network takes f32"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
