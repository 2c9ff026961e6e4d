// What `plimsoll data` prints and draws.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/unit/run/data/made_pictures.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class DataVerb : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"cats", "dogs <b>", "Dogs <b>"}) {
      fs::create_directories(folder_.path() + "/set/" + name);
      for (int i = 0; i < 3; ++i)
        folder_.write(std::string("set/") + name + "/" + std::to_string(i) + ".png", flat_png(8, 6, "abc"));
    }
    folder_.write("set/cats/broken.jpg", "not a picture");
  }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_.path() + "/" + name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

TEST_F(DataVerb, CountsShapesStatisticsAndBadFiles) {
  const Ran ran = run_plimsoll({"data", "set", "--json"}, folder_.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  EXPECT_EQ(json["schema"], "plimsoll.data/1");
  EXPECT_EQ(json["input"]["shape"], (std::vector<int>{3, 6, 8}));
  EXPECT_EQ(json["classes"].size(), 3U);
  const auto& train = json["parts"][0];
  EXPECT_EQ(train["samples"], 10);
  EXPECT_EQ(train["counts"], (std::vector<int>{3, 3, 3}));
  EXPECT_NEAR(train["mean"][0].get<double>(), 'a' / 255.0, 1e-6);
  EXPECT_NEAR(train["std"][2].get<double>(), 0, 1e-6);
  EXPECT_EQ(train["bad"], 1);
  EXPECT_EQ(train["bad_samples"][0], "set/cats/broken.jpg: is not a JPEG, PNG, WebP or BMP picture");
  EXPECT_NE(json["warnings"].dump().find("differ by case"), std::string::npos);

  const Ran text = run_plimsoll({"data", "set", "--input", "1x12x12"}, folder_.path());
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("samples of f32 1x12x12"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("set/cats/broken.jpg: is not a JPEG"), std::string::npos) << text.out;
}

TEST_F(DataVerb, DrawsAPageThatStandsAlone) {
  for (const std::string file : {"look.html", "look.svg"}) {
    const Ran ran = run_plimsoll({"data", folder_.path() + "/set", "--report", file}, folder_.path());
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const std::string page = read(file);
    EXPECT_NE(page.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
    EXPECT_NE(page.find("dogs &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);  // names are a stranger's
    EXPECT_EQ(page.find("src="), std::string::npos);
    EXPECT_EQ(page.find(folder_.path()), std::string::npos) << "no reader has our folders";
  }
  EXPECT_NE(read("look.html").find("<code>plimsoll data set</code>"), std::string::npos);
}

TEST_F(DataVerb, BenchmarkNamesTheKnee) {
  fs::create_directories(folder_.path() + "/idx");
  folder_.write("idx/train-images-idx3-ubyte", idx_images(20));
  folder_.write("idx/train-labels-idx1-ubyte", idx_labels(20));
  const Ran ran = run_plimsoll({"data", "idx", "--benchmark", "--loaders", "2,1", "--batch", "5", "--json", "--quiet"},
                               folder_.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  const auto& runs = json["benchmark"]["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]["loaders"], 1);
  EXPECT_GT(runs[1]["predicted_samples_per_second"], 0);
  EXPECT_FALSE(json["benchmark"]["sentence"].get<std::string>().empty());
}

// Titles, quotes, and the label last.
TEST_F(DataVerb, TextsInAnyOrder) {
  const Ran ran = run_plimsoll({"data", PLIM_TEST_DATA "/text_label_header.csv", "--json"}, folder_.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["classes"].size(), 2U) << ran.out;
}

TEST_F(DataVerb, TextsAreCountedToo) {
  folder_.write("lines.csv", "label,text\nspam,buy now\nham,see you\nham,\"later, then\"\n");
  const Ran ran = run_plimsoll({"data", "lines.csv", "--input", "8"}, folder_.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("samples of int64 8"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("0.0 % of the words"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace plimsoll
