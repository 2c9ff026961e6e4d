#include "run/bench/profile.h"

#include <algorithm>

#include "base/rows/json.h"
#include "run/bench/operation_kind.h"

namespace plimsoll {

namespace {

std::string kind_of(const Lowered& lowered, size_t index) {
  const auto method = lowered.methods.find(index);
  return operation_kind(lowered.program.operations[index],
                        method == lowered.methods.end() ? std::string_view() : way_of(method->second));
}

// In a step: everything but the updates once for each micro-batch.
int64_t runs_of(const Program& program, const Operation& operation) {
  return operation.phase == Phase::update ? 1 : program.micro_batches;
}

auto line_of(Profile& profile, const std::string& kind) {
  return std::find_if(profile.lines.begin(), profile.lines.end(), [&](auto& line) { return line.kind == kind; });
}

}  // namespace

Seconds Profile::outside() const {
  Seconds rest = step;
  for (const auto& line : lines) rest.value -= line.time.value;
  return Seconds{std::max(rest.value, 0.0)};
}

Profile make_profile(const Lowered& lowered, std::vector<TimedStep> steps) {
  const auto& operations = lowered.program.operations;
  std::stable_sort(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.whole < b.whole; });
  steps.resize((steps.size() + 1) / 2);
  const auto mean = [&](auto&& time_in) {
    double sum = 0;
    for (const auto& step : steps) sum += time_in(step).value;
    return sum / double(steps.size());
  };
  Profile profile;
  profile.step = Seconds{mean([](const TimedStep& step) { return step.whole; })};
  for (size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.op && operation.op->storage == Storage::view) continue;  // nothing is done
    const std::string kind = kind_of(lowered, i);
    auto line = line_of(profile, kind);
    if (line == profile.lines.end()) line = profile.lines.insert(line, {kind, 0, {}, {}, {}});
    const int64_t runs = runs_of(lowered.program, operation);
    line->operations += runs;
    line->time.value += mean([&](const TimedStep& step) { return step.of_each[i]; });
    line->flops += operation.cost.flops * operation.repeat * runs;
    line->moved += operation.moved * operation.repeat * runs;
  }
  std::stable_sort(profile.lines.begin(), profile.lines.end(), [](auto& a, auto& b) { return a.time > b.time; });
  return profile;
}

void set_predicted(Profile& profile, const Lowered& lowered, std::span<const Seconds> of_each) {
  for (auto& line : profile.lines) line.predicted = Seconds{0};
  for (size_t i = 0; i < of_each.size(); ++i) {
    const Operation& operation = lowered.program.operations[i];
    const auto line = line_of(profile, kind_of(lowered, i));
    if (line != profile.lines.end())
      line->predicted->value += of_each[i].value * double(runs_of(lowered.program, operation));
  }
}

Json packed(const Profile& profile) {
  Json json{{"step", profile.step.value}, {"lines", Json::array()}};
  for (const auto& line : profile.lines)
    json["lines"].push_back({line.kind, line.operations, line.time.value, line.flops.value(), line.moved.value()});
  return json;
}

Profile unpacked(const Json& json) {
  Profile profile;
  profile.step = Seconds{json["step"].get<double>()};
  for (const auto& line : json["lines"])
    profile.lines.push_back({line[0].get<std::string>(), line[1].get<int64_t>(), Seconds{line[2].get<double>()},
                             Flops(line[3].get<int64_t>()), Bytes(line[4].get<int64_t>())});
  return profile;
}

}  // namespace plimsoll
