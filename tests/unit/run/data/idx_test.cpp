#include "run/data/idx.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/harness/run_program.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class IdxTest : public testing::Test {
 protected:
  Result<DatasetPtr> open(const std::string& images, const std::string& labels, std::optional<int64_t> classes = {}) {
    return open_idx({folder_.write("images", images), folder_.write("labels", labels)}, classes);
  }
  std::string failure(const std::string& images, const std::string& labels, std::optional<int64_t> classes = {}) {
    const auto set = open(images, labels, classes);
    return set.ok() ? "" : set.error().line();
  }
  TemporaryFolder folder_;
};

TEST_F(IdxTest, ReadsPicturesAndLabels) {
  const auto set = open(idx_images(7), idx_labels(7));
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ((*set)->size(), 7);
  EXPECT_EQ((*set)->info().type.input.shape, (Shape{1, 4, 5}));
  EXPECT_EQ((*set)->info().type.classes, 3);
  const auto read = read_sample(**set, 5);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->label, 2);
  EXPECT_EQ(read->numbers, std::vector<float>(20, 50));
}

TEST_F(IdxTest, AGzipFileIsTheSameSet) {
  const auto plain = open(idx_images(7), idx_labels(7));
  ASSERT_TRUE(plain.ok());
  const auto packed = open(gzipped(idx_images(7)), gzipped(idx_labels(7)));
  ASSERT_TRUE(packed.ok()) << packed.error().line();
  EXPECT_EQ((*packed)->info().identity, (*plain)->info().identity);
  EXPECT_EQ(read_sample(**packed, 6)->numbers, std::vector<float>(20, 60));
}

TEST_F(IdxTest, IdentityFollowsContent) {
  const auto one = open(idx_images(7), idx_labels(7));
  ASSERT_TRUE(one.ok());
  std::string changed = idx_images(7);
  changed.back() = 1;
  const auto other = open(changed, idx_labels(7));
  ASSERT_TRUE(other.ok());
  EXPECT_NE((*one)->info().identity, (*other)->info().identity);
}

TEST_F(IdxTest, BadMagic) {
  EXPECT_NE(failure("PNG\x01rest of it", idx_labels(2)).find("begins with 50 4e 47 01"), std::string::npos);
  EXPECT_NE(failure("", idx_labels(2)).find("has 0 bytes"), std::string::npos);
  EXPECT_NE(failure(std::string("\0\0\x0d\x03", 4) + std::string(12, '\1'), idx_labels(2)).find("type 0x0d"),
            std::string::npos);
}

TEST_F(IdxTest, LittleEndianHeader) {
  const std::string little = std::string("\x03\x08\0\0", 4) + std::string("\x02\0\0\0\x04\0\0\0\x05\0\0\0", 12);
  EXPECT_NE(failure(little, idx_labels(2)).find("little-endian"), std::string::npos);
}

TEST_F(IdxTest, CountsThatDoNotMatchTheSize) {
  EXPECT_NE(failure(idx_images(7) + "x", idx_labels(7)).find("its header states 7 items: 156 bytes"),
            std::string::npos);
  EXPECT_NE(failure(idx_images(7).substr(0, 100), idx_labels(7)).find("has 100 bytes"), std::string::npos);
}

TEST_F(IdxTest, FourBillionItems) {
  EXPECT_NE(failure(idx_bytes({0xffffffff, 28, 28}, "x"), idx_labels(7)).find("4,294,967,295 items"),
            std::string::npos);
  EXPECT_NE(failure(idx_bytes({1, 0xffffffff, 0xffffffff}, "x"), idx_labels(7)).find("pictures of more than"),
            std::string::npos);
  EXPECT_NE(failure(idx_bytes({1, 0, 28}, "x"), idx_labels(7)).find("without pixels"), std::string::npos);
}

TEST_F(IdxTest, ImagesAndLabelsOfDifferentNumber) {
  EXPECT_NE(failure(idx_images(7), idx_labels(6)).find("has 6 labels for the 7 pictures"), std::string::npos);
  EXPECT_NE(failure(idx_labels(7), idx_images(7)).find("other way round"), std::string::npos);
}

TEST_F(IdxTest, DamagedGzip) {
  const std::string packed = gzipped(idx_images(200));
  EXPECT_NE(failure(packed.substr(0, packed.size() / 2), idx_labels(7)).find("ends early"), std::string::npos);
  std::string broken = packed;
  broken[broken.size() / 2] ^= 0x55;
  EXPECT_NE(failure(broken, idx_labels(200)).find("images: "), std::string::npos);
}

TEST_F(IdxTest, AGzipBombTakesNoMoreThanItClaims) {
  const std::string bomb = gzipped(idx_images(7) + std::string(10'000'000, '\0'));
  EXPECT_NE(failure(bomb, idx_labels(7)).find("holds more than the 156 bytes"), std::string::npos);
  const std::string claim = gzipped(idx_bytes({1'000'000'000, 28, 28}, "x"));
  EXPECT_NE(failure(claim, idx_labels(7)).find("cannot hold more than"), std::string::npos);
}

TEST_F(IdxTest, ALabelOutsideTheClassesIsNamed) {
  EXPECT_NE(failure(idx_images(7), idx_labels(7), 2).find("labels: sample 2 has label 2, expected 0 to 1"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
