#include "run/train/kept_request.h"

#include <algorithm>

#include "base/rows/named.h"

namespace plimsoll {
namespace {

std::string shown(const Json& value) { return in_quotes(value.is_string() ? value.get<std::string>() : value.dump()); }

}  // namespace

Result<TrainRequest> request_from_flags(const Json& flags) {
  TrainRequest request;
  Fields fields = fields_of(request);
  for (auto& field : fields.all()) {
    const auto typed = flags.find(flag_of(field.row));
    if (typed == flags.end()) continue;
    for (const auto& word : typed->is_array() ? *typed : Json::array({*typed}))
      PLIM_TRY(field.parse(flag_of(field.row), word.is_string() ? word.get<std::string>() : word.dump()));
  }
  return request;
}

Json kept_request(TrainRequest& request) {
  return write_request(request, [](const Row& row) { return row.resume != OnResume::not_kept; });
}

Json agreed_request(TrainRequest& request) {
  return write_request(request, [](const Row& row) { return !row.workers_differ; });
}

Status take_over(TrainRequest& request, const std::vector<std::string>& given, const Json& kept) {
  TrainRequest blank;
  const Fields usual = fields_of(blank);
  Fields fields = fields_of(request);
  for (size_t i = 0; i < fields.all().size(); ++i) {
    Field& field = fields.all()[i];
    const Row& row = field.row;
    if (row.resume == OnResume::not_kept) continue;
    const auto found = kept.find(row.name);
    const bool stored = found != kept.end() && !found->is_null();
    if (std::find(given.begin(), given.end(), row.name) == given.end()) {
      if (stored) PLIM_TRY(field.read(row.name, *found));
    } else if (row.resume == OnResume::same && field.write() != (stored ? *found : usual.all()[i].first)) {
      return user_error(fmt::format("{} is {}, but the run was started with {}", named(row.name), shown(field.write()),
                                    stored ? shown(*found) : "the default"),
                        fmt::format("leave it out, or start another run in another {}", named("run_dir")));
    }
  }
  return {};
}

Result<Json> kept_in(const Json& config) {
  if (const auto request = config.find("request"); request != config.end() && request->is_object()) return *request;
  const auto flags = config.find("flags");
  if (flags == config.end() || !flags->is_object()) return Json();
  PLIM_ASSIGN(TrainRequest request, request_from_flags(*flags));
  return kept_request(request);
}

}  // namespace plimsoll
