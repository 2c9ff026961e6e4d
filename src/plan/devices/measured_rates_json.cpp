#include "plan/devices/measured_rates_json.h"

#include <fmt/format.h>

#include "base/rows/json.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr double kGiga = 1e9;
constexpr int64_t kLargestNumber = 1'000'000'000'000;
constexpr double kLargestRate = 1e12;  // in units of 1e9

std::string found(const Json& json) { return printable(json.dump(-1, ' ', false, Json::error_handler_t::replace), 80); }

Result<std::string> text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string()) return user_error(fmt::format("a group has no {}, expected a name", key));
  return at->get<std::string>();
}

Result<int64_t> whole(const Json& json, std::string_view what) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() < 1 || json.get<uint64_t>() > uint64_t(kLargestNumber))
    return user_error(
        fmt::format("{} is {}, expected a whole number from 1 to {}", what, found(json), with_commas(kLargestNumber)));
  return json.get<int64_t>();
}

Result<double> rate_of(const Json& json) {
  const double rate = json.is_number() ? json.get<double>() : 0;
  if (!(rate > 0) || !(rate < kLargestRate))
    return user_error(fmt::format("a rate is {}, expected a number above 0", found(json)));
  return rate * kGiga;
}

Status check_point(const Json& json, size_t numbers, std::string_view form) {
  if (json.is_array() && json.size() == numbers) return {};
  return user_error(fmt::format("a point is not a list of {} numbers, expected {}", numbers, form));
}

// The groups' points, each as `read` reads it; a group of which nothing is known has none.
template <class Row, class ReadGroup>
Result<std::vector<Row>> read_groups(const Json& json, ReadGroup read) {
  if (!json.is_array()) return user_error("is not a list, expected groups of measured points");
  std::vector<Row> rows;
  for (const auto& group : json) {
    if (!group.is_object()) return user_error("a group is not an object, expected its names and its points");
    const auto at = group.find("at");
    if (at == group.end() || !at->is_array()) return user_error("a group has no list at, expected measured points");
    if (rows.size() + at->size() > kMostRates)
      return user_error(fmt::format("has more than {} points, expected fewer", with_commas(kMostRates)));
    PLIM_TRY(read(group, *at, rows));
  }
  return rows;
}

Status read_conv_group(const Json& group, const Json& points, std::vector<ConvRate>& rows) {
  PLIM_ASSIGN(const std::string direction, text_of(group, "direction"));
  PLIM_ASSIGN(const std::string method, text_of(group, "method"));
  const auto known_direction = conv_direction_named(direction);
  if (!known_direction)
    return user_error(
        fmt::format("the direction is {}, expected forward, grad_data or grad_weights", in_quotes(direction)));
  const auto known_method = conv_method_named(method);
  ConvRate row{.direction = *known_direction};
  PLIM_ASSIGN(row.kernel, whole(group.value("kernel", Json()), "the kernel of a group"));
  for (const auto& point : points) {
    PLIM_TRY(check_point(point, 3, "[channels, places, GFLOP/s]"));
    PLIM_ASSIGN(row.channels, whole(point[0], "the channels of a point"));
    PLIM_ASSIGN(row.places, whole(point[1], "the places of a point"));
    PLIM_ASSIGN(row.rate.per_second, rate_of(point[2]));
    if (!known_method) continue;
    row.method = *known_method;
    rows.push_back(row);
  }
  return {};
}

Status read_memory_bound_group(const Json& group, const Json& points, std::vector<MemoryBoundRate>& rows) {
  PLIM_ASSIGN(const std::string name, text_of(group, "sweep"));
  const auto kind = memory_bound_named(name);
  for (const auto& point : points) {
    PLIM_TRY(check_point(point, 2, "[bytes, GB/s]"));
    PLIM_ASSIGN(const int64_t bytes, whole(point[0], "the bytes of a point"));
    PLIM_ASSIGN(const double rate, rate_of(point[1]));
    if (kind) rows.push_back({*kind, Bytes(bytes), {rate}});
  }
  return {};
}

// Rows are sorted, so those of one point are neighbours.
template <class Row>
Status check_once(std::span<const Row> rows) {
  for (size_t i = 1; i < rows.size(); ++i) {
    Row again = rows[i];
    again.rate = rows[i - 1].rate;
    if (again == rows[i - 1]) return user_error("has a point twice, expected once");
  }
  return {};
}

}  // namespace

Json conv_rates_json(const ConvRates& rates) {
  Json groups = Json::array();
  const ConvRate* last = nullptr;
  for (const auto& row : rates.rows()) {
    if (!last || last->direction != row.direction || last->method != row.method || last->kernel != row.kernel)
      groups.push_back({{"direction", name_of(row.direction)},
                        {"method", name_of(row.method)},
                        {"kernel", row.kernel},
                        {"at", Json::array()}});
    groups.back()["at"].push_back({row.channels, row.places, row.rate.per_second / kGiga});
    last = &row;
  }
  return groups;
}

Json memory_bound_rates_json(const MemoryBoundRates& rates) {
  Json groups = Json::array();
  const MemoryBoundRate* last = nullptr;
  for (const auto& row : rates.rows()) {
    if (!last || last->kind != row.kind) groups.push_back({{"sweep", name_of(row.kind)}, {"at", Json::array()}});
    groups.back()["at"].push_back({row.bytes.value(), row.rate.per_second / kGiga});
    last = &row;
  }
  return groups;
}

Result<ConvRates> read_conv_rates(const Json& json) {
  PLIM_ASSIGN(auto rows, read_groups<ConvRate>(json, read_conv_group));
  ConvRates rates(std::move(rows));
  PLIM_TRY(check_once(rates.rows()));
  return rates;
}

Result<MemoryBoundRates> read_memory_bound_rates(const Json& json) {
  PLIM_ASSIGN(auto rows, read_groups<MemoryBoundRate>(json, read_memory_bound_group));
  MemoryBoundRates rates(std::move(rows));
  PLIM_TRY(check_once(rates.rows()));
  return rates;
}

}  // namespace plimsoll
