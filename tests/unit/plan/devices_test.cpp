// The device reader: a good file, and each mistake a file can have, with what the one line must say.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "plan/devices/all_devices.h"
#include "plan/devices/read_device.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

const std::string kGood = R"({
  "name": "acme-x1-8gb", "title": "Acme X1", "vendor": "acme", "kind": "gpu", "released": "2021-06",
  "aliases": ["acme-x1"],
  "sources": {"sheet": {"title": "Acme X1 data sheet", "date": "2021-06"}},
  "memory": {"value": 8, "unit": "GB", "source": "sheet"},
  "memory_bandwidth": {"value": 300, "unit": "GB/s", "source": "sheet", "note": "measured"},
  "cores": {"value": 1000, "unit": "count", "source": "sheet"},
  "boost_clock": {"value": 1.5, "unit": "GHz", "source": "sheet"},
  "peak": {"f32": {"value": 3, "unit": "TFLOP/s", "source": "derived: 1000 × 2 × 1.5 GHz"}},
  "matrix_peak": {"f16": {"value": 24, "unit": "TFLOP/s", "source": "sheet"},
                  "int8": {"value": 48, "unit": "TOP/s", "source": "sheet"}},
  "core_peak": {"f32": {"value": 4, "unit": "GFLOP/s", "source": "sheet"}},
  "l3_bandwidth": {"value": 90, "unit": "GB/s", "source": "sheet"},
  "network": {"value": 10, "unit": "Gbit/s", "source": "sheet"},
  "disk_read": {"value": 500, "unit": "MB/s", "source": "sheet"},
  "decode_rate_augmented": {"value": 120.5, "unit": "images/s", "source": "sheet"},
  "price": {"value": 699.5, "unit": "USD", "source": "sheet", "date": "2021-07"}
})";

// The good file with the first `from` replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ReadDevice, ReadsEveryKindOfFieldInItsUnit) {
  const auto device = read_device(kGood);
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->name, "acme-x1-8gb");
  EXPECT_EQ(device->kind, DeviceKind::gpu);
  EXPECT_EQ(device->memory, Bytes(8'000'000'000));
  EXPECT_EQ(device->memory_bandwidth->per_second, 300e9);
  EXPECT_EQ(device->cores, Count(1000));
  EXPECT_EQ(device->boost_clock->per_second, 1.5e9);
  EXPECT_EQ(device->network->per_second, 1.25e9);
  EXPECT_EQ(device->core_peak.at(DType::f32).per_second, 4e9);
  EXPECT_EQ(device->l3_bandwidth->per_second, 90e9);
  EXPECT_EQ(device->disk_read->per_second, 500e6);
  EXPECT_EQ(device->decode_rate_augmented->per_second, 120.5);
  EXPECT_FALSE(device->decode_rate.has_value());
  EXPECT_EQ(device->price->value, 699.5);
  EXPECT_FALSE(device->tdp.has_value());
  EXPECT_EQ(device->peak.at(DType::f32).per_second, 3e12);
  EXPECT_EQ(device->product_peak(DType::f16)->per_second, 24e12);
  EXPECT_EQ(device->product_peak(DType::f32)->per_second, 3e12);
  EXPECT_EQ(device->product_peak(DType::i8)->per_second, 48e12);
  EXPECT_FALSE(device->product_peak(DType::f64).has_value());
}

TEST(ReadDevice, KeepsSourceDateAndNoteOfEachFigure) {
  const auto device = read_device(kGood);
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->figures.size(), 13u);
  const Figure* bandwidth = device->figure("memory_bandwidth");
  ASSERT_NE(bandwidth, nullptr);
  EXPECT_EQ(bandwidth->value, 300);
  EXPECT_EQ(bandwidth->unit, "GB/s");
  EXPECT_EQ(bandwidth->source, "sheet");
  EXPECT_EQ(bandwidth->date, "2021-06");
  EXPECT_EQ(bandwidth->note, "measured");
  EXPECT_EQ(device->figure("price")->date, "2021-07");
  EXPECT_EQ(device->figure("peak.f32")->date, "");
}

TEST(ReadDevice, UnitsOfMemoryAreExact) {
  const std::pair<const char*, int64_t> units[] = {
      {"7, \"unit\": \"B\"", 7},
      {"7, \"unit\": \"KB\"", 7000},
      {"7, \"unit\": \"MB\"", 7'000'000},
      {"7, \"unit\": \"GB\"", 7'000'000'000},
      {"7, \"unit\": \"TB\"", 7'000'000'000'000},
      {"7, \"unit\": \"KiB\"", 7168},
      {"7, \"unit\": \"MiB\"", 7'340'032},
      {"7, \"unit\": \"GiB\"", 7'516'192'768},
      {"7, \"unit\": \"TiB\"", 7'696'581'394'432},
      {"1.5, \"unit\": \"KiB\"", 1536},
      {"0.1, \"unit\": \"GB\"", 100'000'000},
  };
  for (const auto& [text, bytes] : units) {
    const auto device = read_device(with("8, \"unit\": \"GB\"", text));
    ASSERT_TRUE(device.ok()) << device.error().line();
    EXPECT_EQ(device->memory, Bytes(bytes)) << text;
  }
}

struct Mistake {
  std::string json, says;
};

class DeviceMistake : public testing::TestWithParam<Mistake> {};

TEST_P(DeviceMistake, IsOneLineThatSaysWhat) {
  const auto device = read_device(GetParam().json);
  ASSERT_FALSE(device.ok());
  const std::string line = device.error().line();
  EXPECT_EQ(device.error().kind, ErrorKind::user);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_LT(line.size(), 600u) << line;
  EXPECT_NE(line.find(GetParam().says), std::string::npos) << line;
}

std::string memory(const std::string& figure) {
  return with("{\"value\": 8, \"unit\": \"GB\", \"source\": \"sheet\"}", figure);
}

const Mistake kMistakes[] = {
    // not a document
    {"", "line 1, column 1: found the end of the file, expected JSON"},
    {"nonsense", "line 1, column 2: found 'no', expected JSON"},
    {with("\"kind\": \"gpu\"", "\"kind\": \"gpu\", \"ecc\": \"on\""), "ecc: is 'on', expected inline"},
    {"{\"name\": \"x\",\n \"memory\": NaN}", "line 2, column 12"},
    {"{\"name\": Infinity}", "expected JSON"},
    {"{\"name\": 1e999}", "expected JSON"},
    {"{} {}", "expected JSON"},
    {"{\"name\": \"\xFF\"}", "expected JSON"},
    {kGood.substr(0, kGood.size() / 2), "expected JSON"},
    {"\xEF\xBB\xBF" + kGood, "byte order mark"},
    {std::string("\xFF\xFE{\0", 4), "byte order mark"},
    {std::string(100'000, '['), "nested deeper than 16"},
    {"{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}", "nested deeper than 16"},
    {"[]", "holds a list, expected an object"},
    {"7", "holds 7, expected an object"},
    // fields
    {with("\"vendor\": \"acme\", ", ""), "vendor: is missing, expected a text"},
    {with("\"acme-x1-8gb\"", "12"), "name: is 12, expected a text"},
    {with("\"acme-x1-8gb\"", "\"Acme X1\""), "name: is 'Acme X1', expected small letters"},
    {with("\"gpu\"", "\"tpu\""), "kind: is 'tpu', expected gpu, cpu, node or instance"},
    {with("\"2021-06\"", "\"June 2021\""), "released: is 'June 2021', expected a date such as 2024-03"},
    {with("[\"acme-x1\"]", "\"acme-x1\""), "aliases: is 'acme-x1', expected a list"},
    {with("\"cores\"", "\"coers\""), "has no field 'coers' (did you mean 'cores'"},
    {with("\"cores\"", "\"memory\""), "the key 'memory' appears twice"},
    {with("\"value\": 300", "\"value\": 300, \"value\": 3"), "the key 'value' appears twice"},
    {with("  \"sources\": {\"sheet\": {\"title\": \"Acme X1 data sheet\", \"date\": \"2021-06\"}},\n", ""),
     "sources: is missing"},
    {with(", \"date\": \"2021-06\"}", "}"), "sources.sheet: date: is missing"},
    {with("\"date\": \"2021-06\"}", "\"date\": \"2021-13\"}"), "sources.sheet: date: is '2021-13'"},
    // a number
    {memory("8"), "memory: is 8, expected an object with value, unit and source"},
    {memory("{\"value\": 8, \"source\": \"sheet\"}"), "memory: unit: is missing, expected one of B, KB, MB, GB"},
    {memory("{\"value\": 8, \"unit\": \"Gb\", \"source\": \"sheet\"}"), "memory: unit: is 'Gb', expected one of B"},
    {memory("{\"value\": 8, \"unit\": \"GB/s\", \"source\": \"sheet\"}"), "memory: unit: is 'GB/s'"},
    {memory("{\"value\": 8, \"unit\": \"GB\"}"), "memory: source: is missing"},
    {memory("{\"value\": 8, \"unit\": \"GB\", \"source\": \"shed\"}"), "memory: source: is 'shed'"},
    {memory("{\"value\": 0, \"unit\": \"GB\", \"source\": \"sheet\"}"),
     "memory: value: is 0, expected a number above 0"},
    {memory("{\"value\": -1, \"unit\": \"GB\", \"source\": \"sheet\"}"), "memory: value: is -1"},
    {memory("{\"value\": \"8\", \"unit\": \"GB\", \"source\": \"sheet\"}"), "memory: value: is '8', expected a number"},
    {memory("{\"value\": null, \"unit\": \"GB\", \"source\": \"sheet\"}"), "memory: value: is null, expected a number"},
    {memory("{\"value\": 1e300, \"unit\": \"GB\", \"source\": \"sheet\"}"), "expected a smaller number"},
    {memory("{\"value\": 10000, \"unit\": \"TiB\", \"source\": \"sheet\"}"), "expected a smaller number"},
    {memory("{\"value\": 1.5, \"unit\": \"B\", \"source\": \"sheet\"}"), "expected a whole number"},
    {memory("{\"value\": 1e-9, \"unit\": \"KB\", \"source\": \"sheet\"}"), "expected at least 1 byte"},
    {memory("{\"unit\": \"GB\", \"source\": \"sheet\"}"), "memory: value: is missing"},
    {memory("{\"value\": 8, \"unit\": \"GB\", \"source\": \"sheet\", \"url\": \"\"}"), "memory: has no field 'url'"},
    {with("\"value\": 1000", "\"value\": 10.5"), "cores: value: is 10.5, expected a whole number"},
    {with("\"f32\": {", "\"fp32\": {"), "peak.fp32: is not a number format"},
    {with("\"TOP/s\"", "\"TFLOP/s\""), "matrix_peak.int8: unit: is 'TFLOP/s', expected one of GOP/s"},
    {with("\"USD\"", "\"XYZ\""), "price: unit: is 'XYZ', expected USD"},
    {with(", \"date\": \"2021-07\"", ""), "price: date: is missing, expected a date such as 2024-03 (prices change"},
    {with("\"2021-07\"", "\"yesterday\""), "price: date: is 'yesterday'"},
    // incomplete
    {with("\"memory\": {\"value\": 8, \"unit\": \"GB\", \"source\": \"sheet\"},", ""), "memory: is missing"},
    {with("\"f32\": {", "\"f64\": {"), "peak.f32: is missing"},
    {with("\"gpu\"", "\"node\""), "contains: is missing"},
    {with("\"gpu\"", "\"instance\", \"contains\": [{\"device\": \"nvidia-t4\", \"count\": 1}]"),
     "price_per_hour: is missing"},
    // parts
    {with("\"gpu\"", "\"node\", \"contains\": {}"), "contains: is an object, expected a list"},
    {with("\"gpu\"", "\"node\", \"contains\": [7]"), "contains: holds 7"},
    {with("\"gpu\"", "\"node\", \"contains\": [{\"count\": 8}]"), "contains: device: is missing"},
    {with("\"gpu\"", "\"node\", \"contains\": [{\"device\": \"x\"}]"), "has neither count nor threads, expected one"},
    {with("\"gpu\"", "\"node\", \"contains\": [{\"device\": \"x\", \"count\": 0}]"), "contains: count: is 0"},
    {with("\"gpu\"", "\"node\", \"contains\": [{\"device\": \"x\", \"count\": -8}]"), "contains: count: is -8"},
    {with("\"gpu\"", "\"node\", \"contains\": [{\"device\": \"x\", \"count\": 1e18}]"), "contains: count: is"},
};

INSTANTIATE_TEST_SUITE_P(ReadDevice, DeviceMistake, testing::ValuesIn(kMistakes));

TEST(ReadDevice, ANameThatIsHostileIsPrintedSafely) {
  const auto device = read_device(with("\"acme-x1-8gb\"", "\"\\u001b[31m\\n" + std::string(5000, 'x') + "\""));
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().line().find('\x1b'), std::string::npos);
  EXPECT_LT(device.error().line().size(), 300u);
}

// Every prefix, and files with a few bytes changed: read, or refused in one line.
TEST(ReadDevice, BrokenFilesAreRefusedInOneLine) {
  const auto check = [](const std::string& text) {
    const auto device = read_device(text);
    if (!device.ok()) {
      EXPECT_EQ(device.error().line().find('\n'), std::string::npos) << text;
    }
    return device.ok();
  };
  for (size_t length = 0; length < kGood.size(); ++length) EXPECT_FALSE(check(kGood.substr(0, length))) << length;
  std::mt19937 random(1);
  const std::string telling("{}[]\",:-0e9.\\\x00\x1b\xFF\n", 17);
  for (int i = 0; i < 4000; ++i) {
    std::string text = kGood;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      text[random() % text.size()] = telling[random() % telling.size()];
    check(text);
  }
}

TEST(DeviceFile, IsReadByItsPath) {
  const TemporaryFolder folder;
  const auto device = load_device(folder.write("mine.json", kGood));
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->name, "acme-x1-8gb");
}

TEST(DeviceFile, MistakesNameTheFile) {
  const TemporaryFolder folder;
  const auto says = [](const std::string& path) {
    const auto device = load_device(path);
    return device.ok() ? "read" : device.error().line();
  };
  const std::string empty = folder.write("empty.json", "");
  EXPECT_EQ(says(empty).find(empty + ": line 1"), 0u) << says(empty);
  const std::string large = folder.write("large.json", std::string((1 << 20) + 1, ' '));
  EXPECT_NE(says(large).find("has 1,048,577 bytes, expected a device file of at most 1 MiB"), std::string::npos);
  EXPECT_NE(says(folder.path() + "/empyt.json").find("no such file (did you mean 'empty.json'"), std::string::npos);
  EXPECT_NE(says(folder.path() + "/").find("a folder, expected a regular .json file"), std::string::npos);
  const std::string fifo = folder.path() + "/fifo.json";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_NE(says(fifo).find("a FIFO, expected a regular .json file"), std::string::npos) << says(fifo);
}

TEST(FindDevice, KnowsNamesAndAliases) {
  const auto t4 = find_device("nvidia-t4");
  ASSERT_TRUE(t4.ok()) << t4.error().line();
  EXPECT_EQ(t4->name, "nvidia-t4");
  const auto alias = find_device("nvidia-tesla-t4");
  ASSERT_TRUE(alias.ok()) << alias.error().line();
  EXPECT_EQ(alias->name, "nvidia-t4");
}

TEST(FindDevice, AnUnknownNameGivesTheNearest) {
  const std::pair<const char*, const char*> wanted[] = {
      {"nvidia-t5", "'nvidia-t4'"},
      {"nvidia-rtx-3091", "'nvidia-rtx-3090'"},
      {"zzzzzzzzzzzz", "see 'plimsoll devices'"},
      {"", "see 'plimsoll devices'"},
  };
  for (const auto& [name, says] : wanted) {
    const auto device = find_device(name);
    ASSERT_FALSE(device.ok());
    EXPECT_NE(device.error().line().find(says), std::string::npos) << device.error().line();
  }
}

TEST(ComputePart, OfANodeIsItsGpus) {
  const auto node = find_device("nvidia-dgx-1");
  ASSERT_TRUE(node.ok()) << node.error().line();
  const auto part = compute_part(*node);
  ASSERT_TRUE(part.ok()) << part.error().line();
  EXPECT_EQ(part->device.name, "nvidia-v100-32gb");
  EXPECT_EQ(part->count, 8);
}

TEST(ComputePart, OfACpuInstanceIsItsShare) {
  const auto instance = find_device("aws-c5.4xlarge");
  ASSERT_TRUE(instance.ok()) << instance.error().line();
  const auto part = compute_part(*instance);
  ASSERT_TRUE(part.ok()) << part.error().line();
  EXPECT_EQ(part->device.name, "aws-c5.4xlarge");
  EXPECT_EQ(part->device.cores, Count(8));
}

TEST(ComputePart, OfUnknownOrNestedPartsIsAMistake) {
  Device node;
  node.name = "mine";
  node.contains = {{"nvidia-t5", 2, 0}};
  const auto unknown = compute_part(node);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().line().find("mine: contains: no device is called 'nvidia-t5'"), std::string::npos);
  node.contains = {{"nvidia-dgx-1", 2, 0}};
  const auto nested = compute_part(node);
  ASSERT_FALSE(nested.ok());
  EXPECT_NE(nested.error().line().find("itself made of others"), std::string::npos) << nested.error().line();
}

}  // namespace
}  // namespace plimsoll
