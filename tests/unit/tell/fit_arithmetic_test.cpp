// The arithmetic form of fit as a user meets it: sizes with units, the answer as text and as JSON, mistakes.
#include "tell/report/arithmetic_fit_report.h"

#include <gtest/gtest.h>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/fit_reply.h"
#include "plan/ask/place_reply.h"
#include "plan/devices/all_devices.h"
#include "tell/report/residence_report.h"

namespace plimsoll {
namespace {

// Fields as they are typed: name, text.
using Typed = std::vector<std::pair<std::string, std::string>>;

const Typed kExample{{"model_mb", "100"}, {"sample_mb", "100"}, {"activation_mb", "500"}};

Typed with(Typed typed, const Typed& more) {
  typed.insert(typed.end(), more.begin(), more.end());
  return typed;
}

Typed in_memory(const std::string& memory, const Typed& more = {}) {
  return with(with(kExample, {{"memory", memory}}), more);
}

Result<ArithmeticOutcome> outcome_of(const Typed& typed) {
  FitRequest request;
  Fields fields = fields_of(request);
  for (const auto& [name, text] : typed) PLIM_TRY(fields.find(name)->parse(flag_named(name), text));
  PLIM_TRY(check(request));
  return ask_fit_by_arithmetic(request);
}

std::string text_of(const Typed& typed) {
  const auto outcome = outcome_of(typed);
  return outcome.ok() ? arithmetic_fit_text(*outcome) : outcome.error().line();
}

Json json_of(const Typed& typed) {
  const auto outcome = outcome_of(typed);
  return outcome.ok() ? document_json(kFitSchema, *outcome) : Json();
}

std::string mistake(const Typed& typed) {
  const auto outcome = outcome_of(typed);
  EXPECT_FALSE(outcome.ok());
  return outcome.ok() ? "" : spoken_error(outcome.error(), Door::command_line).line();
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
  EXPECT_EQ(*parse_bytes("--memory", "24gb"), Bytes(24'000'000'000));
  EXPECT_EQ(*parse_bytes("--memory", "24gib"), Bytes(int64_t{24} << 30));
  EXPECT_EQ(*parse_bytes("--memory", "24G"), Bytes(int64_t{24} << 30));
  EXPECT_EQ(*parse_bytes("--memory", "512m"), Bytes(512 << 20));
}

TEST(ParseBytes, ANumberAloneIsAskedForItsUnit) {
  const auto bare = parse_bytes("--memory", "8");
  ASSERT_FALSE(bare.ok());
  EXPECT_EQ(bare.error().line(),
            "--memory is '8' without a unit (8GB is 8,000,000,000 bytes, 8GiB is 8,589,934,592 bytes)");
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
  const auto document = json_of(in_memory("8GB", {{"batch", "11"}}));
  EXPECT_EQ(document["batch"], 11);
  EXPECT_EQ(document["fits"], false);
  EXPECT_EQ(document["largest_batch"], 10);
  EXPECT_EQ(document["shortfall_bytes"], 300'000'000);
  EXPECT_EQ(document["smallest_memory_bytes"], 8'375'000'000);
  const std::string text = text_of(in_memory("2GB", {{"batch", "10"}}));
  EXPECT_NE(text.find("Batch 10 does not fit: 6.1 GB is past the line of 1.6 GB by 4.5 GB (4,500,000,000 bytes)."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a GPU stops, out of memory"), std::string::npos) << text;
  EXPECT_FALSE(outcome_of(in_memory("2GB", {{"batch", "10"}}))->fit.fits);
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
  const Typed gpu = with(kExample, {{"batch", "10"}, {"device", "nvidia-mx150"}});
  EXPECT_NE(text_of(gpu).find("Out of memory: "), std::string::npos) << text_of(gpu);
  EXPECT_EQ(json_of(gpu)["memory_bytes"], int64_t{2} << 30);
  const Typed cpu = with(kExample, {{"batch", "20"}, {"device", "intel-i5-8250u"}, {"disk", "nvme"}});
  EXPECT_NE(text_of(cpu).find("It pages: "), std::string::npos) << text_of(cpu);
  EXPECT_GT(json_of(cpu)["past_line"]["paging_seconds_per_step"], 0);
}

TEST(FitArithmetic, TheLineMoves) { EXPECT_EQ(json_of(in_memory("8GB", {{"load_line", "1.0"}}))["batch"], 13); }

Typed sizes(const std::string& model, const std::string& sample, const std::string& activations) {
  return {{"model_mb", model}, {"sample_mb", sample}, {"activation_mb", activations}, {"memory", "8GB"}};
}

TEST(FitArithmetic, Mistakes) {
  EXPECT_NE(mistake({{"model_mb", "100"}, {"activation_mb", "500"}, {"memory", "8GB"}}).find("--sample-mb is missing"),
            std::string::npos);
  EXPECT_NE(mistake(sizes("100", "0", "0")).find("every batch fits"), std::string::npos);
  for (const auto* bad : {"-1", "nan", "inf", "1e18", "100MB", "x", " 1"})
    EXPECT_NE(mistake(sizes(bad, "100", "500")).find("--model-mb is '"), std::string::npos) << bad;
  EXPECT_NE(mistake(sizes("0", "100", "500")).find("--model-mb is '0'"), std::string::npos);
  for (const auto* bad : {"0", "-1", "1e18", "1000000000000000000", "nan"})
    EXPECT_NE(mistake(in_memory("8GB", {{"batch", bad}})).find("--batch is '"), std::string::npos) << bad;
  EXPECT_NE(mistake(in_memory("8Q")).find("expected one of B, KB"), std::string::npos);
  EXPECT_NE(mistake(kExample).find("neither --memory nor --device"), std::string::npos);
  EXPECT_NE(mistake(in_memory("8GB", {{"device", "nvidia-t4"}})).find("both given"), std::string::npos);
  for (const auto* bad : {"0", "-0.5", "1.1", "nan", "80%"})
    EXPECT_NE(mistake(in_memory("8GB", {{"load_line", bad}})).find("--load-line is '"), std::string::npos) << bad;
  EXPECT_NE(mistake(with(sizes("100", "1000000000", "1000000000"), {{"batch", "1000000000"}})).find("more than 2^63"),
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
  const Json json = reply_json(where);
  EXPECT_EQ(json["residents"].size(), where.residents.size());
  EXPECT_EQ(json["moves"].size(), where.moves.size());
  EXPECT_EQ(json["device_bytes"], (1 << 21) + (1 << 10));
}

TEST(StagesReply, SaysWhatSetsThePace) {
  LoadingSetup setup;
  setup.disk = *find_disk("sata");
  setup.sample = Bytes(1'000'000);
  setup.decode_per_core = SamplesPerSecond{100};
  setup.host_cores = setup.loaders = 2;
  const StageTimes times = loading_times(setup, *loading_rate(setup), 100, false);
  const Json step = reply_json(StagesReply{times, pace(times, true)});
  EXPECT_EQ(step["bound_by"], "decode");
  EXPECT_EQ(step["step_seconds"], 0.5);
}

}  // namespace
}  // namespace plimsoll
