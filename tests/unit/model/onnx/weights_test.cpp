#include "model/onnx/onnx_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "tests/harness/run_program.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using onnx::TensorProto;

template <class T>
std::string bytes_of_numbers(const std::vector<T>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

// fc.weight of the small network is 10 × 144: too large to be copied by the scan.
class OnnxWeightsTest : public testing::Test {
 protected:
  OnnxWeightsTest() {
    add_small_network(model_);
    for (int i = 0; i < 1440; ++i) numbers_.push_back(float(i) / 8 - 100);  // exact in 16 bits
    for (float& number : numbers_) number = std::round(number);
  }
  TensorProto& large() { return *model_.graph.mutable_initializer(2); }

  ImportedNetwork import() {
    auto imported = import_onnx_with_weights(folder_.write("m.onnx", model_.bytes()), {});
    EXPECT_TRUE(imported.ok()) << imported.error().line();
    return *std::move(imported);
  }
  void expect_read() {
    const ImportedNetwork network = import();
    ASSERT_TRUE(network.weights->has("fc.weight"));
    std::vector<float> whole(1440), piece(100);
    const auto status = network.weights->read("fc.weight", 0, whole);
    ASSERT_TRUE(status.ok()) << status.error().line();
    EXPECT_EQ(whole, numbers_);
    ASSERT_TRUE(network.weights->read("fc.weight", 700, piece).ok());
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), numbers_.begin() + 700));
  }
  std::string failure() {
    const ImportedNetwork network = import();
    std::vector<float> whole(1440);
    const auto status = network.weights->read("fc.weight", 0, whole);
    return status.ok() ? "" : status.error().line();
  }

  TemporaryFolder folder_;
  OnnxModel model_;
  std::vector<float> numbers_;
};

TEST_F(OnnxWeightsTest, RawFloats) {
  large().set_raw_data(bytes_of_numbers(numbers_));
  expect_read();
}

TEST_F(OnnxWeightsTest, FloatData) {
  large().clear_raw_data();
  for (const float number : numbers_) large().add_float_data(number);
  expect_read();
}

TEST_F(OnnxWeightsTest, Doubles) {
  large().set_data_type(TensorProto::DOUBLE);
  large().set_raw_data(bytes_of_numbers(std::vector<double>(numbers_.begin(), numbers_.end())));
  expect_read();
  large().clear_raw_data();
  for (const float number : numbers_) large().add_double_data(number);
  expect_read();
}

// The halves of 1, -2, the smallest number, infinity and a large one, as IEEE 754 writes them.
TEST_F(OnnxWeightsTest, HalfPrecision) {
  const std::vector<uint16_t> halves = {0x3C00, 0xC000, 0x0001, 0x7C00, 0x7BFF};
  const std::vector<float> meant = {1, -2, std::ldexp(1.0F, -24), INFINITY, 65504};
  large().set_data_type(TensorProto::FLOAT16);
  std::vector<uint16_t> bits;
  for (size_t i = 0; i < 1440; ++i) {
    bits.push_back(halves[i % 5]);
    numbers_[i] = meant[i % 5];
  }
  large().set_raw_data(bytes_of_numbers(bits));
  expect_read();
  large().clear_raw_data();
  for (const uint16_t number : bits) large().add_int32_data(number);
  expect_read();
}

TEST_F(OnnxWeightsTest, Bfloats) {
  large().set_data_type(TensorProto::BFLOAT16);
  std::vector<uint16_t> bits;
  for (const float number : numbers_) {
    uint32_t word = 0;
    std::memcpy(&word, &number, 4);
    bits.push_back(uint16_t(word >> 16));
  }
  for (size_t i = 0; i < bits.size(); ++i) {
    const uint32_t word = uint32_t(bits[i]) << 16;
    std::memcpy(&numbers_[i], &word, 4);
  }
  large().set_raw_data(bytes_of_numbers(bits));
  expect_read();
}

TEST_F(OnnxWeightsTest, ExternalFile) {
  large().clear_raw_data();
  large().set_data_location(TensorProto::EXTERNAL);
  const auto add = [&](const std::string& key, const std::string& value) {
    auto* entry = large().add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("location", "w.bin");
  add("offset", "64");
  const std::string path = folder_.write("w.bin", std::string(64, 'x') + bytes_of_numbers(numbers_));
  expect_read();

  const ImportedNetwork network = import();
  std::vector<float> whole(1440);
  folder_.write("w.bin", "cut short");  // between import and read
  auto status = network.weights->read("fc.weight", 0, whole);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().line().find("tensor 'fc.weight'"), std::string::npos) << status.error().line();

  std::filesystem::remove(path);
  status = network.weights->read("fc.weight", 0, whole);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().line().find("'w.bin' is absent"), std::string::npos) << status.error().line();
  EXPECT_EQ(status.error().kind, ErrorKind::user);

  std::filesystem::create_symlink("m.onnx", path);
  status = network.weights->read("fc.weight", 0, whole);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().line().find("symbolic link"), std::string::npos) << status.error().line();
}

TEST_F(OnnxWeightsTest, ShapeAloneHasNoNumbers) {
  large().clear_raw_data();
  EXPECT_NE(failure().find("holds no numbers"), std::string::npos);
}

TEST_F(OnnxWeightsTest, SmallTensorsAndUnknownNames) {
  auto& bias = *model_.graph.mutable_initializer(3);
  bias.clear_raw_data();
  for (int i = 0; i < 10; ++i) bias.add_float_data(float(i));
  const ImportedNetwork network = import();
  std::vector<float> numbers(3);
  ASSERT_TRUE(network.weights->read("fc.bias", 4, numbers).ok());
  EXPECT_EQ(numbers, (std::vector<float>{4, 5, 6}));
  EXPECT_FALSE(network.weights->has("y"));
}

}  // namespace
}  // namespace plimsoll
