// One row for each mistake of a user with data: one line on stderr that names the file and says what
// was found and what was expected, exit code 2, nothing on stdout.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

struct Mistake {
  std::vector<std::string> arguments;
  std::string says;
};

class DataMistakes : public testing::TestWithParam<Mistake> {
 protected:
  void SetUp() override {
    const std::string pictures("\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\1ab", 18), labels("\0\0\x08\x01\0\0\0\2\0\1", 10);
    make("good", pictures, labels);
    make("magic", "PNG?" + pictures.substr(4), labels);
    make("little", std::string("\x03\x08\0\0", 4) + pictures.substr(4), labels);
    make("short", pictures.substr(0, 17), labels);
    make("labels", pictures, labels.substr(0, 7) + '\1' + labels.substr(8, 1));
    make("gz", "\x1f\x8b broken", labels);
    make("four_billion", pictures.substr(0, 4) + "\xff\xff\xff\xff" + pictures.substr(8), labels);
    fs::create_directories(folder_.path() + "/empty/cats");
    folder_.write("one.bin", "too short");
    folder_.write("label.bin", '\x0a' + std::string(3072, 'x'));
    folder_.write("lines.csv", "no comma\n");
    folder_.write("model.onnx", "x");
  }
  void make(const std::string& name, const std::string& images, const std::string& labels) {
    fs::create_directories(folder_.path() + "/" + name);
    folder_.write(name + "/train-images-idx3-ubyte", images);
    folder_.write(name + "/train-labels-idx1-ubyte", labels);
  }
  TemporaryFolder folder_;
};

TEST_P(DataMistakes, OneLineAndExitCode2) {
  const Ran ran = run_plimsoll(GetParam().arguments, folder_.path());
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out, "");
}

const Mistake kMistakes[] = {
    {{"data"}, "DATASET"},
    {{"data", "fashion-mnits"}, "did you mean 'fashion-mnist'"},
    {{"data", "nowhere/at/all"}, "neither a known dataset nor a path"},
    {{"data", "model.onnx"}, "model.onnx: is in no known format"},
    {{"data", "magic"}, "train-images-idx3-ubyte: begins with 50 4e 47 3f"},
    {{"data", "little"}, "train-images-idx3-ubyte: its header is little-endian"},
    {{"data", "short"}, "train-images-idx3-ubyte: has 17 bytes, but its header states 2 items: 18 bytes"},
    {{"data", "labels"}, "has 1 labels for the 2 pictures"},
    {{"data", "gz"}, "train-images-idx3-ubyte: is a damaged gzip file"},
    {{"data", "four_billion"}, "states 4,294,967,295 items"},
    {{"data", "one.bin"}, "one.bin: has 9 bytes, expected a multiple of 3,073"},
    {{"data", "label.bin"}, "label.bin: sample 0 has label 10, expected 0 to 9"},
    {{"data", "empty"}, "empty: has no JPEG, PNG, WebP or BMP pictures"},
    {{"data", "lines.csv"}, "lines.csv: sample 1 at byte 0: has no comma"},
    {{"data", "good", "--input", "3x0x5"}, "expected sizes of at least 1"},
    {{"data", "good", "--input", "2x5x5"}, "cannot become f32 of 2x5x5"},
    {{"data", "good", "--report", "look.pdf"}, "expected a name that ends in .html or .svg"},
    {{"data", "good", "--loaders", "-1"}, "--loaders is '-1'"},
    {{"data", "good", "--benchmark", "--loaders", "1,x"}, "--loaders is 'x'"},
    {{"data", "good", "--benchmark", "--batch", "0"}, "--batch is '0'"},
    {{"data", "good", "--benchmark", "--augment", "flop"}, "--augment has 'flop', expected a list of flip"},
    {{"data", "good", "other"}, "expected one"},
    {{"data", "get"}, "data get needs one name"},
    {{"data", "get", "mnits"}, "did you mean 'mnist'"},
};

INSTANTIATE_TEST_SUITE_P(All, DataMistakes, testing::ValuesIn(kMistakes));

}  // namespace
}  // namespace plimsoll
