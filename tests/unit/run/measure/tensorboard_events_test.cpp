#include "run/measure/tensorboard_events.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

// RFC 3720, appendix B.4.
TEST(TensorboardEvents, ChecksumsAreThoseOfTheStandard) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string rising;
  for (int i = 0; i < 32; ++i) rising.push_back(char(i));
  EXPECT_EQ(crc32c(rising), 0x46dd794eu);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
}

TEST(TensorboardEvents, AScalarIsTheMessageThatProtobufWrites) {
  // What Python's protobuf makes of Event(wall_time=1.5, step=300, summary=[("a", 2.0)]).
  const std::string expected(
      "\x09\x00\x00\x00\x00\x00\x00\xf8\x3f\x10\xac\x02\x2a\x0a\x0a\x08\x0a\x01"
      "a\x15\x00\x00\x00\x40",
      24);
  EXPECT_EQ(scalar_event(300, 1.5, {{"a", 2.0}}), expected);
}

template <class Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

TEST(TensorboardEvents, EveryRecordOfAFileIsFramedAndChecked) {
  const TemporaryFolder folder;
  {
    auto events = TensorboardEvents::create(folder.path(), 1000);
    ASSERT_TRUE(events.ok());
    ASSERT_TRUE(events->add(1, 1001, {{"loss", 0.5}, {"accuracy", 0.25}}).ok());
    ASSERT_TRUE(events->add(2, 1002, {{"loss", 0.25}}).ok());
  }
  const auto entry = std::filesystem::directory_iterator(folder.path())->path();
  EXPECT_TRUE(entry.filename().string().starts_with("events.out.tfevents."));
  std::ifstream in(entry, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::string> messages;
  for (size_t at = 0; at < bytes.size();) {
    const auto length = number_at<uint64_t>(bytes, at);
    ASSERT_EQ(number_at<uint32_t>(bytes, at + 8), masked_crc32c(bytes.substr(at, 8)));
    messages.push_back(bytes.substr(at + 12, length));
    ASSERT_EQ(number_at<uint32_t>(bytes, at + 12 + length), masked_crc32c(messages.back()));
    at += 16 + length;
  }
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_NE(messages[0].find("brain.Event:2"), std::string::npos);
  EXPECT_NE(messages[1].find("accuracy"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
