#include "plan/ask/rate_form.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/numbers.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr double kFastest = 1e21;  // what a device file can hold

struct Scale {
  char letter;
  double size;
};
constexpr Scale kScales[] = {{'M', 1e6}, {'G', 1e9}, {'T', 1e12}, {'P', 1e15}};

// What may follow the letter: "TFLOPS", "TFLOP/s", "TOPS" and "T" are all 10^12 a second.
bool is_operations(std::string_view rest) {
  for (const std::string_view known : {"", "FLOPS", "FLOP/s", "FLOPs", "flops", "flop/s", "OPS", "OP/s"})
    if (rest == known) return true;
  return false;
}

Json rate_schema(const char* unit) {
  return {{"anyOf", {Json{{"type", "number"}, {"exclusiveMinimum", 0}}, Json{{"type", "string"}}}},
          {"description", unit}};
}

template <class Rate>
Result<Rate> plain_rate(const Row& row, const std::string& called, const Json& json) {
  Row rate = row;
  rate.least = 0;
  rate.edge = Edge::above;
  rate.most = kFastest;
  PLIM_ASSIGN(const double read, number_of(rate, called, json));
  return Rate{read};
}

}  // namespace

Result<FlopsPerSecond> parse_flops_rate(const std::string& flag, const std::string& text) {
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  std::string_view unit(end, size_t(last - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (error == std::errc() && std::isfinite(number) && number > 0 && !unit.empty())
    for (const auto& scale : kScales)
      if (unit.front() == scale.letter && is_operations(unit.substr(1)) && number * scale.size < kFastest)
        return FlopsPerSecond{number * scale.size};
  return user_error(fmt::format("{} is {}, expected a rate above 0 in GFLOPS, TFLOPS or PFLOPS", flag, in_quotes(text)),
                    "for example 71TFLOPS");
}

Result<FlopsPerSecond> Form<FlopsPerSecond>::parse(const Row&, const std::string& called, const std::string& text) {
  return parse_flops_rate(called, text);
}

Result<FlopsPerSecond> Form<FlopsPerSecond>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  return plain_rate<FlopsPerSecond>(row, called, json);
}

Json Form<FlopsPerSecond>::schema(const Row&) {
  return rate_schema("operations a second; as text with a unit, e.g. 71TFLOPS");
}

Result<BytesPerSecond> Form<BytesPerSecond>::parse(const Row&, const std::string& called, const std::string& text) {
  return parse_rate(called, text);
}

Result<BytesPerSecond> Form<BytesPerSecond>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  return plain_rate<BytesPerSecond>(row, called, json);
}

Json Form<BytesPerSecond>::schema(const Row&) {
  return rate_schema("bytes a second; as text with a unit, e.g. 900GB/s");
}

}  // namespace plimsoll
