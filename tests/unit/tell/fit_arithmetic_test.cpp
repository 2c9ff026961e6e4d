// The arithmetic form of fit as a user meets it: sizes with units, the answer as text and as JSON, mistakes.
#include "tell/cli/fit_arithmetic.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/size_text.h"
#include "plan/devices/all_devices.h"
#include "tell/cli/disk_flag.h"
#include "tell/cli/numbers.h"
#include "tell/report/loading_report.h"
#include "tell/report/residence_report.h"

namespace plimsoll {
namespace {

const ArithmeticFlags kExample{"100", "100", "500"};

ArithmeticFitRequest in_memory(const std::string& memory, const std::string& batch = "") {
  ArithmeticFitRequest request;
  request.memory = memory;
  request.batch = batch;
  return request;
}

std::string text_of(const ArithmeticFitRequest& request) {
  const auto answer = answer_arithmetic_fit(kExample, request);
  return answer.ok() ? answer->text : answer.error().line();
}

nlohmann::json json_of(ArithmeticFitRequest request) {
  request.json = true;
  return nlohmann::json::parse(text_of(request), nullptr, false);
}

std::string mistake(const ArithmeticFlags& flags, const ArithmeticFitRequest& request) {
  const auto answer = answer_arithmetic_fit(flags, request);
  EXPECT_FALSE(answer.ok());
  return answer.ok() ? "" : answer.error().line();
}

TEST(SizeText, PowersOfTenAndOfTwo) {
  EXPECT_EQ(in_both_units(Bytes(8'000'000'000)), "8 GB = 7.45 GiB");
  EXPECT_EQ(in_both_units(Bytes(int64_t{8} << 30)), "8.59 GB = 8 GiB");
  EXPECT_EQ(in_both_units(Bytes(700)), "700 B");
  EXPECT_EQ(decimal_bytes(Bytes(6'100'000'000)), "6.1 GB");
  EXPECT_EQ(decimal_bytes(Bytes(999'999'999)), "1 GB");
  EXPECT_EQ(decimal_bytes(Bytes(0)), "0 B");
  EXPECT_EQ(percent(0.8), "80 %");
}

TEST(ParseBytes, DecimalAndBinaryUnits) {
  EXPECT_EQ(*parse_bytes("--memory", "8GB"), Bytes(8'000'000'000));
  EXPECT_EQ(*parse_bytes("--memory", "8GiB"), Bytes(8'589'934'592));
  EXPECT_EQ(*parse_bytes("--memory", "8 GB"), Bytes(8'000'000'000));
  EXPECT_EQ(*parse_bytes("--memory", "0.5KiB"), Bytes(512));
  EXPECT_EQ(*parse_bytes("--memory", "1.5TB"), Bytes(1'500'000'000'000));
  EXPECT_EQ(*parse_bytes("--memory", "12B"), Bytes(12));
}

TEST(ParseBytes, ANumberAloneIsAskedForItsUnit) {
  const auto bare = parse_bytes("--memory", "8");
  ASSERT_FALSE(bare.ok());
  EXPECT_EQ(bare.error().line(),
            "--memory is '8' without a unit (8GB is 8,000,000,000 bytes, 8GiB is 8,589,934,592 bytes)");
  const auto letter = parse_bytes("--memory", "2m");
  ASSERT_FALSE(letter.ok());
  EXPECT_NE(letter.error().hint.find("2MB is 2,000,000 bytes, 2MiB is 2,097,152 bytes"), std::string::npos);
}

TEST(ParseBytes, Mistakes) {
  for (const auto* text : {"", "GB", "-1GB", "0GB", "nanGB", "infGB", "1e18", "1e18GB", "1e400GB", "8GBs", "8  GB",
                           " 8GB", "+8GB", "8,5GB", "0x8GB", "8 ", "8GB ", "1e-9B", "eight GB"}) {
    const auto bytes = parse_bytes("--memory", text);
    ASSERT_FALSE(bytes.ok()) << text;
    EXPECT_EQ(bytes.error().kind, ErrorKind::user);
    EXPECT_NE(bytes.error().what.find("--memory is '"), std::string::npos) << bytes.error().line();
  }
}

TEST(ParseDisk, NamesRatesCountsAndControllers) {
  EXPECT_EQ(parse_disk("--disk", "nvme")->rate().per_second, 3.5e9);
  EXPECT_EQ(parse_disk("--disk", "123MB/s")->rate().per_second, 123e6);
  EXPECT_EQ(parse_disk("--disk", "4xsata")->rate().per_second, 2.2e9);
  EXPECT_EQ(parse_disk("--disk", "4xsata@1GB/s")->rate().per_second, 1e9);
  EXPECT_EQ(parse_disk("--disk", "2x200MB/s")->rate().per_second, 400e6);
  EXPECT_NE(disk_help().find("hdd (150.0 MB/s)"), std::string::npos);
}

TEST(ParseDisk, Mistakes) {
  for (const auto* text : {"", "floppy", "550", "550MB", "0MB/s", "-1MB/s", "nanMB/s", "1e18GB/s", "0xsata",
                           "999999xsata", "sata@", "sata@fast", "x", "4x", "@", "1e3xsata"}) {
    const auto disk = parse_disk("--disk", text);
    ASSERT_FALSE(disk.ok()) << text;
    EXPECT_NE(disk.error().line().find("--disk"), std::string::npos) << disk.error().line();
  }
}

TEST(FitArithmetic, TheLargestBatchWithBothUnits) {
  const std::string text = text_of(in_memory("8GB"));
  EXPECT_NE(text.find("80 % of 8 GB = 7.45 GiB"), std::string::npos) << text;
  EXPECT_NE(text.find("Batch 10 is the largest under the line: 6.1 GB of 6.4 GB. Batch 11 takes 6.7 GB, 300 MB too "
                      "much."),
            std::string::npos)
      << text;
}

TEST(FitArithmetic, JsonHasTheKeysOfFit) {
  const auto document = json_of(in_memory("4GB"));
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["schema"], "plimsoll.fit/1");
  EXPECT_EQ(document["batch"], 5);
  EXPECT_EQ(document["peak_bytes"], 3'100'000'000);
  EXPECT_EQ(document["memory_bytes"], 4'000'000'000);
  EXPECT_EQ(document["load_line"], 0.8);
  EXPECT_EQ(document["line_bytes"], 3'200'000'000);
  EXPECT_EQ(document["fits"], true);
  EXPECT_EQ(document["shortfall_bytes"], 0);
  EXPECT_EQ(document["breakdown"]["parameters"], 100'000'000);
  EXPECT_EQ(document["breakdown"]["input"], 500'000'000);
  EXPECT_EQ(document["breakdown"]["activations"], 2'500'000'000);
}

TEST(FitArithmetic, ABatchThatDoesNotFitSaysByHowMuch) {
  const auto document = json_of(in_memory("8GB", "11"));
  EXPECT_EQ(document["batch"], 11);
  EXPECT_EQ(document["fits"], false);
  EXPECT_EQ(document["largest_batch"], 10);
  EXPECT_EQ(document["shortfall_bytes"], 300'000'000);
  EXPECT_EQ(document["smallest_memory_bytes"], 8'375'000'000);
  const std::string text = text_of(in_memory("2GB", "10"));
  EXPECT_NE(text.find("Batch 10 does not fit: 6.1 GB is past the line of 1.6 GB by 4.5 GB (4,500,000,000 bytes)."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a GPU stops, out of memory"), std::string::npos) << text;
  EXPECT_FALSE(answer_arithmetic_fit(kExample, in_memory("2GB", "10"))->fits);
}

TEST(FitArithmetic, NothingFits) {
  const auto document = json_of(in_memory("0.5GB"));
  EXPECT_EQ(document["batch"], 0);
  EXPECT_EQ(document["fits"], false);
  EXPECT_EQ(document["smallest_memory_bytes"], 875'000'000);
  const std::string text = text_of(in_memory("0.5GB"));
  EXPECT_NE(text.find("Nothing fits, not even one sample"), std::string::npos);
  EXPECT_NE(text.find("The smallest memory that would do is 875 MB = 834 MiB (875,000,000 bytes)."), std::string::npos)
      << text;
}

TEST(FitArithmetic, ADevicesMemoryAndWhatHappensPastItsLine) {
  ArithmeticFitRequest request;
  request.batch = "10";
  request.device = *find_device("nvidia-mx150");
  EXPECT_NE(text_of(request).find("Out of memory: "), std::string::npos) << text_of(request);
  EXPECT_EQ(json_of(request)["memory_bytes"], int64_t{2} << 30);
  request.device = *find_device("intel-i5-8250u");
  request.batch = "20";
  request.disk = "nvme";
  EXPECT_NE(text_of(request).find("It pages: "), std::string::npos) << text_of(request);
  EXPECT_GT(json_of(request)["past_line"]["paging_seconds_per_step"], 0);
}

TEST(FitArithmetic, TheLineMoves) {
  ArithmeticFitRequest request = in_memory("8GB");
  request.load_line = "1.0";
  EXPECT_EQ(json_of(request)["batch"], 13);
}

TEST(FitArithmetic, Mistakes) {
  EXPECT_NE(mistake({"100", "", "500"}, in_memory("8GB")).find("--sample-mb is missing"), std::string::npos);
  EXPECT_NE(mistake({"100", "0", "0"}, in_memory("8GB")).find("every batch fits"), std::string::npos);
  for (const auto* bad : {"-1", "nan", "inf", "1e18", "100MB", "x", " 1"})
    EXPECT_NE(mistake({bad, "100", "500"}, in_memory("8GB")).find("--model-mb is '"), std::string::npos) << bad;
  EXPECT_NE(mistake({"0", "100", "500"}, in_memory("8GB")).find("--model-mb is '0'"), std::string::npos);
  for (const auto* bad : {"0", "-1", "1e18", "1000000000000000000", "nan"})
    EXPECT_NE(mistake(kExample, in_memory("8GB", bad)).find("--batch is '"), std::string::npos) << bad;
  EXPECT_NE(mistake(kExample, in_memory("8")).find("without a unit"), std::string::npos);
  EXPECT_NE(mistake(kExample, in_memory("")).find("neither --memory nor --device"), std::string::npos);
  ArithmeticFitRequest both = in_memory("8GB");
  both.device = *find_device("nvidia-t4");
  EXPECT_NE(mistake(kExample, both).find("both given"), std::string::npos);
  for (const auto* bad : {"0", "-0.5", "1.1", "nan", "80%"}) {
    ArithmeticFitRequest line = in_memory("8GB");
    line.load_line = bad;
    EXPECT_NE(mistake(kExample, line).find("--load-line is '"), std::string::npos) << bad;
  }
  EXPECT_NE(mistake({"100", "1000000000", "1000000000"}, in_memory("8GB", "1000000000")).find("more than 2^63"),
            std::string::npos);
}

TEST(ResidenceReport, TableAndJson) {
  ResidenceSetup setup;
  setup.bytes.parameters = setup.bytes.activations = Bytes(1 << 20);
  setup.bytes.input = setup.bytes.files = Bytes(1 << 10);
  setup.device = *find_device("nvidia-t4");
  setup.disk = *find_disk("nvme");
  const Residence where = *residence(setup);
  const std::string text = residence_text(where);
  for (const auto* words : {"CPU caches", "parameters", "every step", "once", "live on the device only"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  const Json json = residence_json(where);
  EXPECT_EQ(json["residents"].size(), where.residents.size());
  EXPECT_EQ(json["moves"].size(), where.moves.size());
  EXPECT_EQ(json["device_bytes"], (1 << 21) + (1 << 10));
}

TEST(LoadingReport, Json) {
  LoadingSetup setup;
  setup.disk = *find_disk("sata");
  setup.sample = Bytes(1'000'000);
  setup.decode_per_core = SamplesPerSecond{100};
  setup.host_cores = setup.loaders = 2;
  const LoadingRate rate = *loading_rate(setup);
  const Json json = loading_json(setup, rate);
  EXPECT_EQ(json["bound"], "cores");
  EXPECT_EQ(json["samples_per_second"], 200.0);
  EXPECT_EQ(json["drives_samples_per_second"], 550.0);
  const StageTimes times = loading_times(setup, rate, 100, false);
  const Json step = pace_json(times, pace(times, true));
  EXPECT_EQ(step["bound_by"], "decode");
  EXPECT_EQ(step["step_seconds"], 0.5);
}

}  // namespace
}  // namespace plimsoll
