// Mistakes with fit and place: one line, what was found and what was expected, exit code 2. And
// answers that are no mistakes: "does not fit" is exit code 1 with the whole answer.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

using Words = std::vector<std::string>;

struct Mistake {
  Words arguments;
  std::string says;
};

class FitPlaceFlags : public testing::TestWithParam<Mistake> {};

TEST_P(FitPlaceFlags, OneLineAndExitCode2) {
  const Ran ran = run_plimsoll(GetParam().arguments);
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  EXPECT_TRUE(ran.out.empty()) << ran.out;
}

const Mistake kMistakes[] = {
    {{"fit"}, "no MODEL is given"},
    {{"fit", "resnet50"}, "neither --device nor --memory is given"},
    {{"fit", "resnet5", "--memory", "8GiB"}, "did you mean 'resnet50'"},
    {{"fit", "resnet50", "--device", "nvidia-t5"}, "did you mean 'nvidia-t4'"},
    {{"fit", "resnet50", "--device", "zzz"}, "zzz"},
    {{"fit", "resnet50", "--memory", "8 apples"}, "--memory is '8 apples'"},
    {{"fit", "resnet50", "--memory", "0GB"}, "--memory is '0GB'"},
    {{"fit", "resnet50", "--memory", "-1GB"}, "--memory is '-1GB'"},
    {{"fit", "resnet50", "--memory", "nanGB"}, "--memory is 'nanGB'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--batch", "0"}, "--batch is '0'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--batch", "-1"}, "--batch is '-1'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--batch", "1000000000000000000"}, "expected a whole number from 1"},
    {{"fit", "resnet50", "--memory", "8GiB", "--load-line", "1.5"}, "--load-line is '1.5'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--load-line", "0"}, "--load-line is '0'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--load-line", "nan"}, "--load-line is 'nan'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--framework", "caffe"},
     "expected plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast"},
    {{"fit", "resnet50", "--memory", "8GiB", "--optimizer", "adma"}, "did you mean 'adam'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--loss", "hinge"}, "--loss is 'hinge'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--mode", "backwards"}, "--mode is 'backwards'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--micro-batches", "0"}, "--micro-batches is '0'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--recompute", "2"}, "--recompute is '2'"},
    {{"fit", "resnet50", "--memory", "8GiB", "--residence"}, "--residence needs a --device"},
    {{"fit", "resnet50", "--model-mb", "100", "--memory", "8GB"}, "MODEL and --model-mb are both given"},
    {{"fit", "--model-mb", "100", "--memory", "8GB"}, "--sample-mb is missing"},
    {{"place"}, "no MODEL is given"},
    {{"place", "resnet50", "--device", "nvidia-t5"}, "did you mean 'nvidia-t4'"},
    {{"place", "resnet50", "--by", "weight"}, "--by is 'weight', expected time or money"},
    {{"place", "resnet50", "--samples", "0"}, "--samples is '0'"},
    {{"place", "resnet50", "--epochs", "-3"}, "--epochs is '-3'"},
    {{"place", "resnet50", "--price", "free"}, "--price is 'free'"},
    {{"place", "resnet50", "--decode-rate", "0"}, "--decode-rate is '0'"},
    {{"place", "resnet50", "--disk", "floppy"}, "no disk is called 'floppy'"},
    {{"place", "resnet50", "--host-cores", "0"}, "--host-cores is '0'"},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, FitPlaceFlags, testing::ValuesIn(kMistakes));

nlohmann::json json_of(const Ran& ran) { return nlohmann::json::parse(ran.out, nullptr, false); }

TEST(FitAnswers, AFileOfOneBatchFitsWithThatBatch) {
  for (const char* mode : {"train", "inference"}) {
    const Ran ran = run_plimsoll({"fit", PLIM_TEST_DATA "/exports/attention-op17-fix-raw.onnx", "--memory", "8GiB",
                                  "--batch", "1", "--mode", mode, "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto json = json_of(ran);
    EXPECT_EQ(json["fits"], true) << mode;
    EXPECT_EQ(json["batch"], 1) << mode;
  }
}

TEST(FitAnswers, ABatchThatDoesNotFitIsAnAnswerWithTheBreakingTensor) {
  const Ran ran = run_plimsoll({"fit", "resnet50", "--memory", "2GiB", "--batch", "512", "--json"});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto json = json_of(ran);
  EXPECT_EQ(json["fits"], false);
  EXPECT_GT(json["shortfall_bytes"], 0);
  EXPECT_EQ(json["batch"], 512);
  EXPECT_TRUE(json["breaking_tensor"]["shape"].is_array());
  EXPECT_GT(json["smallest_memory_bytes"], json["memory_bytes"]);
}

TEST(FitAnswers, AModelLargerThanTheDeviceNamesTheSmallestMemory) {
  const Ran ran = run_plimsoll({"fit", "vgg16", "--memory", "64MiB"});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("Nothing fits, not even one sample"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("The smallest memory that would do is"), std::string::npos) << ran.out;
}

std::string device_file(const std::string& memory, const std::string& rest = "") {
  return R"({"name": "acme-x1", "title": "Acme X1", "vendor": "acme", "kind": "gpu",
             "sources": {"sheet": {"title": "a sheet", "date": "2024-01"}},
             "memory": )" +
         memory + R"(, "memory_bandwidth": {"value": 300, "unit": "GB/s", "source": "sheet"},
             "peak": {"f32": {"value": 8, "unit": "TFLOP/s", "source": "sheet"}})" +
         rest + "}";
}

constexpr const char* kEightGib = R"({"value": 8, "unit": "GiB", "source": "sheet"})";

TEST(DeviceFiles, OneOfYourOwnIsPlannedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.write("mine.json", device_file(kEightGib));
  EXPECT_EQ(run_plimsoll({"fit", "resnet18", "--device", path}).exit_code, 0);
  const Ran placed = run_plimsoll({"place", "resnet18", "--device", path, "--json"});
  EXPECT_EQ(placed.exit_code, 0) << placed.err;
  EXPECT_TRUE(json_of(placed)["ranking"][0]["cost"].is_null());  // it has no price, and none is made up
}

TEST(DeviceFiles, MistakesAreOneLineWithTheField) {
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> cases[] = {
      {device_file(R"({"value": 8, "source": "sheet"})"), "unit"},
      {device_file(R"({"value": 0, "unit": "GiB", "source": "sheet"})"), "memory"},
      {device_file(kEightGib, R"(, "price": {"unit": "USD", "source": "sheet", "date": "2024-01"})"), "price"},
      {device_file(kEightGib, R"(, "price": {"value": 9, "unit": "EUR", "source": "sheet", "date": "2024-01"})"),
       "EUR"}};
  for (const auto& [text, says] : cases) {
    for (const std::string verb : {"fit", "place"}) {
      const Ran ran = run_plimsoll({verb, "resnet18", "--device", folder.write("mine.json", text)});
      EXPECT_EQ(ran.exit_code, 2) << ran.err;
      EXPECT_EQ(ran.err_lines(), 1) << ran.err;
      EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    }
  }
}

TEST(CatsAndDogs, FitAsTheyDidInRealRuns) {
  const auto fit = [](const std::string& device, const std::string& batch) {
    return run_plimsoll({"fit", "catsdogs", "--framework", "tensorflow", "--optimizer", "adam", "--load-line", "1.0",
                         "--device", device, "--batch", batch, "--json"});
  };
  EXPECT_EQ(fit("nvidia-mx150", "16").exit_code, 0);
  EXPECT_EQ(fit("nvidia-t4", "128").exit_code, 0);
  const Ran missed = fit("nvidia-mx150", "32");
  EXPECT_EQ(missed.exit_code, 1);
  EXPECT_EQ(json_of(missed)["breaking_tensor"]["shape"][0], 32);
}

TEST(FitAnswers, GbAndGibAreToldApart) {
  const Ran ran = run_plimsoll({"fit", "lenet5", "--memory", "8GB"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("8 GB = 7.45 GiB"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace plimsoll
