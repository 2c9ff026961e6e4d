#include "run/train/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "safetensors_bytes.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::string error_of(std::string bytes) {
  const auto reader = read_bytes(std::move(bytes));
  return reader.ok() ? "" : reader.error().line();
}

std::string one(const std::string& body, size_t data_bytes) {
  return safetensors_bytes("{\"a\":{" + body + "}}", data_bytes);
}

TEST(Safetensors, WhatWasWrittenIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.safetensors";
  const auto header =
      lay_out({{"w", {DType::f32, {2, 3}}}, {"empty", {DType::f32, {0}}}, {"n", {DType::i64, {}}}}, {{"format", "pt"}});
  auto writer = SafetensorsWriter::create(path, header);
  ASSERT_TRUE(writer.ok());
  const std::vector<float> w{1, 2, 3, 4, 5, 6};
  const int64_t n = -7;
  ASSERT_TRUE(writer->append(std::as_bytes(std::span(w))).ok());
  ASSERT_TRUE(writer->append(std::as_bytes(std::span(&n, 1))).ok());
  EXPECT_FALSE(std::filesystem::exists(path));  // not before it is whole
  ASSERT_TRUE(writer->finish().ok());

  const auto reader = SafetensorsReader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().line();
  EXPECT_EQ(reader->header().metadata.at("format"), "pt");
  EXPECT_EQ(reader->file_bytes(), safetensors_file_bytes(header));
  EXPECT_EQ(*reader->checksum(), writer->checksum());
  const StoredTensor* stored = reader->find("w");
  ASSERT_NE(stored, nullptr);
  EXPECT_EQ(stored->type, (TensorType{DType::f32, {2, 3}}));
  std::vector<float> back(6);
  ASSERT_TRUE(reader->read(*stored, std::as_writable_bytes(std::span(back))).ok());
  EXPECT_EQ(back, w);
  EXPECT_EQ(reader->find("empty")->type.elements().value(), 0);
  EXPECT_EQ(reader->find("missing"), nullptr);
}

TEST(Safetensors, AFileThatIsGivenUpLeavesNothing) {
  const TemporaryFolder folder;
  {
    auto writer = SafetensorsWriter::create(folder.path() + "/a.safetensors", lay_out({{"w", {DType::f32, {2}}}}, {}));
    ASSERT_TRUE(writer.ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Safetensors, PaddingAndAnyOrderInTheHeaderAreFine) {
  const std::string byte = R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  const std::string two = R"({"dtype":"U8","shape":[2],"data_offsets":[1,3]})";
  const std::string none = R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  EXPECT_EQ(error_of(safetensors_bytes("{\"b\":" + two + ",\"a\":" + byte + "}  ", 3)), "");
  EXPECT_EQ(error_of(safetensors_bytes("{}", 0)), "");
  EXPECT_EQ(error_of(safetensors_bytes("{\"z\":" + none + ",\"a\":" + byte + "}", 1)), "");
}

struct Bad {
  std::string bytes, message;
};

TEST(Safetensors, BadFilesAreRefusedInOneLine) {
  const std::string u8 = R"("dtype":"U8","shape":[2],"data_offsets":[0,2])";
  const std::string huge(8, '\x7F');
  const std::vector<Bad> cases = {
      {"", "has 0 bytes"},
      {"1234567", "has 7 bytes"},
      {huge + "{}", "its header is said to have"},
      {std::string("\x10\0\0\0\0\0\0\0{}", 10), "its header is said to have 16 bytes, but at most 2"},
      {safetensors_bytes("[]", 0), "does not begin with '{'"},
      {safetensors_bytes(" {}", 0), "does not begin with '{'"},
      {safetensors_bytes("{\"\xFF\":1}", 0), "not UTF-8"},
      {safetensors_bytes("{\"a\":", 0), "not JSON at byte"},
      {safetensors_bytes("{}x", 0), "not JSON"},
      {safetensors_bytes("{\"a\":1}", 0), "is a number, expected an object"},
      {safetensors_bytes("{\"a\":null}", 0), "is null, expected an object"},
      {safetensors_bytes("{\"a\":[1]}", 0), "is a list, expected an object"},
      {one(u8, 1), "past the file's 1 bytes"},
      {one(u8, 3), "has 3 bytes of data, but its tensors end at 2"},
      {one(R"("dtype":"U8","shape":[2],"data_offsets":[1,3])", 3), "begins at byte 1, but"},
      {one(R"("dtype":"U8","shape":[2],"data_offsets":[3,1])", 3), "backwards"},
      {one(R"("dtype":"U8","shape":[3],"data_offsets":[0,2])", 2), "has 2 bytes, expected 3 for 3 U8"},
      {one(R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,2])", 2), "more than 2^63"},
      {one(R"("dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,2])", 2), "beyond 64 bits"},
      {one(R"("dtype":"U8","shape":[-2],"data_offsets":[0,2])", 2), "expected at least 0"},
      {one(R"("dtype":"U8","shape":[2.0],"data_offsets":[0,2])", 2), "a fraction"},
      {one(R"("dtype":"U8","shape":[[2]],"data_offsets":[0,2])", 2), "holds a list"},
      {one(R"("dtype":"U8","shape":[2],"data_offsets":[0])", 2), "has 1 data_offsets"},
      {one(R"("dtype":"U8","shape":[2])", 2), "lacks one of"},
      {one(R"("dtype":"Q9","shape":[2],"data_offsets":[0,2])", 2), "'Q9', which is not known"},
      {one(R"("dtype":7,"shape":[2],"data_offsets":[0,2])", 2), "its dtype holds a number"},
      {one(u8 + ",\"extra\":1", 2), "has the key 'extra'"},
      {one(u8 + ",\"dtype\":\"U8\"", 2), "'dtype' appears twice"},
      {safetensors_bytes("{\"a\":{" + u8 + "},\"a\":{" + u8 + "}}", 2), "appears twice"},
      {safetensors_bytes("{\"a\":{" + u8 + "},\"b\":{" + u8 + "}}", 2), "though the one before it ends"},
      {safetensors_bytes("{\"__metadata__\":{\"a\":1}}", 0), "'a' is a number, expected a string"},
      {safetensors_bytes("{\"__metadata__\":{\"a\":{}}}", 0), "'a' is an object"},
      {safetensors_bytes("{\"__metadata__\":\"x\"}", 0), "expected an object"},
      {safetensors_bytes(R"({"__metadata__":{"a":"1","a":"2"}})", 0), "appears twice"},
      {safetensors_bytes(R"({"__metadata__":{},"__metadata__":{}})", 0), "appears twice"},
      {std::string("\x80\x02}q\x00X\x01\x00\x00\x00", 10), "pickle, which may run code"},
      {"PK\x03\x04 archive of a model", "may run code"},
      {"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"},
      {"<!DOCTYPE html><html></html>", "expected a safetensors file"},
  };
  for (const auto& bad : cases) {
    const std::string line = error_of(bad.bytes);
    EXPECT_NE(line.find(bad.message), std::string::npos) << bad.message << "\nbut got: " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(Safetensors, CutAtEveryByteItIsRefused) {
  const std::string whole = safetensors_bytes(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4);
  ASSERT_EQ(error_of(whole), "");
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_NE(error_of(whole.substr(0, size)), "") << size;
}

TEST(Safetensors, TooManyTensorsAreRefusedWithTheLimit) {
  std::string header = "{";
  for (size_t i = 0; i <= kMostStoredTensors; ++i)
    header += fmt::format("{}\"{}\":{{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", i == 0 ? "" : ",", i);
  EXPECT_NE(error_of(safetensors_bytes(header + "}", 0)).find("more than 100,000 tensors"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
