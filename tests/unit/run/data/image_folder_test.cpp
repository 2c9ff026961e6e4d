#include "run/data/image_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "run/data/loader.h"
#include "tests/harness/run_program.h"
#include "tests/unit/run/data/made_pictures.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class ImageFolderTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(root() + "/" + name).parent_path());
    folder_.write("set/" + name, bytes);
  }
  std::string root() const { return folder_.path() + "/set"; }
  Result<DatasetPtr> open(const ImageFolderOptions& options = {}) { return open_image_folder(root(), options); }
  std::string warnings() {
    const auto set = open();
    EXPECT_TRUE(set.ok()) << set.error().line();
    std::string all;
    for (const auto& warning : (*set)->info().warnings) all += warning + "\n";
    return all;
  }
  std::string bad(int64_t index) {
    const auto set = open();
    EXPECT_TRUE(set.ok()) << set.error().line();
    const auto read = read_sample(**set, index);
    return read.ok() ? "" : read.error().line();
  }
  TemporaryFolder folder_;
};

TEST_F(ImageFolderTest, WebPAndBmpFilesAreNotPassedOver) {
  for (const char* name : {"a.bmp", "b.WEBP", "c.webp"})
    write(std::string("cats/") + name, flat_png(8, 8, "\x0a\x14\x1e"));
  write("cats/notes.txt", "not a picture");
  const auto set = open();
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ((*set)->size(), 3);
  EXPECT_NE(warnings().find("1 files that are not pictures by their names are ignored, such as 'notes.txt'"),
            std::string::npos);
}

TEST_F(ImageFolderTest, ClassesByNameAndPicturesOfEverySizeAndKind) {
  write("dogs/b.jpg", made_jpeg(16, 16, {200, 100, 50}));
  write("dogs/a.png", flat_png(30, 20, "\x0a\x14\x1e"));
  write("cats/x.JPEG", made_jpeg(100, 80, {77}, TJPF_GRAY));
  write("cats/wrong_name.jpg", flat_png(16, 16, "\x0a\x14\x1e"));  // a PNG, whatever it is called
  write("cats/.hidden.jpg", "not a picture");
  const auto set = open({.input = Shape{3, 8, 8}});
  ASSERT_TRUE(set.ok()) << set.error().line();
  ASSERT_EQ((*set)->size(), 4);
  EXPECT_EQ((*set)->info().class_names, (std::vector<std::string>{"cats", "dogs"}));
  const std::vector<std::pair<int64_t, float>> expected = {{0, 10}, {0, 77}, {1, 10}, {1, 200}};  // label, red
  for (int64_t i = 0; i < 4; ++i) {
    const auto read = read_sample(**set, i);
    ASSERT_TRUE(read.ok()) << read.error().line();
    EXPECT_EQ(read->label, expected[size_t(i)].first);
    for (size_t p = 0; p < 64; ++p) EXPECT_NEAR(read->numbers[p], expected[size_t(i)].second, 2);
  }
  const auto gray = open({.input = Shape{1, 8, 8}});
  ASSERT_TRUE(gray.ok());
  EXPECT_NEAR(read_sample(**gray, 3)->numbers[5], 0.299 * 200 + 0.587 * 100 + 0.114 * 50, 2);
}

TEST_F(ImageFolderTest, ByDefaultTheCommonestSize) {
  write("a/1.png", flat_png(5, 4, "abc"));
  write("a/2.png", flat_png(5, 4, "abc"));
  write("b/3.png", flat_png(9, 9, "abc"));
  const auto set = open();
  ASSERT_TRUE(set.ok());
  EXPECT_EQ((*set)->info().type.input.shape, (Shape{3, 4, 5}));
  EXPECT_NE(warnings().find("2 different sizes"), std::string::npos);
  EXPECT_EQ((*set)->info().sizes[0].count, 2);
}

TEST_F(ImageFolderTest, NothingToReadIsAnError) {
  fs::create_directories(root());
  EXPECT_NE(open().error().line().find("has no folders"), std::string::npos);
  fs::create_directories(root() + "/a");
  EXPECT_NE(open().error().line().find("has no JPEG, PNG, WebP or BMP pictures"), std::string::npos);
  write("a/x.jpg", "no picture");
  EXPECT_NE(open().error().line().find("has no picture that can be read"), std::string::npos);
}

TEST_F(ImageFolderTest, EmptyClassOneClassAndNamesThatDifferByCase) {
  write("cats/1.png", flat_png(4, 4, "abc"));
  EXPECT_NE(warnings().find("There is only one class, 'cats'."), std::string::npos);
  fs::create_directories(root() + "/birds");
  EXPECT_NE(warnings().find("Class 'birds' has no pictures."), std::string::npos);
  write("Cats/1.png", flat_png(4, 4, "abc"));
  EXPECT_NE(warnings().find("Classes 'Cats' and 'cats' differ by case alone."), std::string::npos);
  write("cats/notes.txt", "hello");
  EXPECT_NE(warnings().find("such as 'notes.txt'"), std::string::npos);
}

TEST_F(ImageFolderTest, SymlinkLoopsEnd) {
  write("a/1.png", flat_png(4, 4, "abc"));
  fs::create_directory_symlink("../a", root() + "/a/again");  // passed over: folders inside a class are
  fs::create_symlink("loop.png", root() + "/a/loop.png");
  const auto set = open();
  ASSERT_TRUE(set.ok()) << set.error().line();
  ASSERT_EQ((*set)->size(), 2);
  EXPECT_NE(bad(1).find("loop.png: "), std::string::npos);
}

TEST_F(ImageFolderTest, BadPicturesAreNamed) {
  write("a/1_good.png", flat_png(4, 4, "abc"));
  write("a/2_empty.jpg", "");
  write("a/3_text.jpg", "hello");
  write("a/4_cut.jpg", made_jpeg(64, 64, {1, 2, 3}).substr(0, 500));
  write("a/5_cmyk.jpg", made_jpeg(8, 8, {1, 2, 3, 4}, TJPF_CMYK));
  write("a/6_huge.png", made_png(65535, 65535, ""));
  EXPECT_EQ(bad(0), "");
  EXPECT_EQ(bad(1), root() + "/a/2_empty.jpg: is empty, expected a JPEG, PNG, WebP or BMP picture");
  for (int64_t i = 2; i < 6; ++i) EXPECT_TRUE(bad(i).starts_with(root() + "/a/" + std::to_string(i + 1))) << bad(i);
  auto loader = Loader::make(*open(), {.batch = 6, .workers = 2, .bad = {.skip = true}});
  ASSERT_TRUE(loader.ok());
  ASSERT_TRUE((*loader)->start(0).ok());
  EXPECT_EQ((*(*loader)->next())->samples, 1);
  EXPECT_EQ((*loader)->skipped(), 5);
}

TEST_F(ImageFolderTest, AnUnreadableFileIsABadSample) {
  write("a/1.png", flat_png(4, 4, "abc"));
  write("a/2.png", flat_png(4, 4, "abc"));
  fs::remove(root() + "/a/2.png");
  ASSERT_EQ(mkfifo((root() + "/a/2.png").c_str(), 0600), 0);  // root may read all files, but nobody reads a FIFO
  EXPECT_NE(bad(1).find("2.png: a FIFO, expected a regular"), std::string::npos) << bad(1);
}

TEST_F(ImageFolderTest, FilesThatChangeWhileTheyAreUsed) {
  write("a/1.png", flat_png(4, 4, "abc"));
  write("a/2.png", flat_png(4, 4, "abc"));
  const auto set = open();
  ASSERT_TRUE(set.ok());
  write("a/1.png", flat_png(400, 400, "abc"));
  fs::remove(root() + "/a/2.png");
  const auto changed = read_sample(**set, 0), gone = read_sample(**set, 1);
  ASSERT_FALSE(changed.ok());
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(changed.error().kind, ErrorKind::environment);
  EXPECT_EQ(gone.error().kind, ErrorKind::environment);
  EXPECT_NE(gone.error().line().find("2.png: was removed after it was opened"), std::string::npos);
}

TEST_F(ImageFolderTest, AnotherPartHasTheSameClasses) {
  write("dogs/1.png", flat_png(4, 4, "abc"));
  const auto set = open({.classes = {"cats", "dogs"}});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(read_sample(**set, 0)->label, 1);
  const auto unknown = open({.classes = {"cats", "mice"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().line().find("is a class that the training part does not have"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
