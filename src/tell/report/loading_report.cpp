#include "tell/report/loading_report.h"

namespace plimsoll {
namespace {

void add(Json& json, const char* key, const std::optional<SamplesPerSecond>& rate) {
  if (rate) json[key] = rate->per_second;
}

}  // namespace

Json loading_json(const LoadingSetup& setup, const LoadingRate& rate) {
  Json json{{"disk", setup.disk.name},
            {"disk_bytes_per_second", setup.disk.rate().per_second},
            {"sample_bytes", setup.sample.value()},
            {"host_cores", setup.host_cores},
            {"loaders", setup.loaders},
            {"useful_loaders", rate.useful_loaders},
            {"bound", name_of(rate.bound)}};
  add(json, "samples_per_second", rate.all);
  add(json, "drives_samples_per_second", rate.drives);
  add(json, "controller_samples_per_second", rate.controller);
  add(json, "decode_samples_per_second", rate.decode);
  json["sentence"] = loading_sentence(setup, rate);
  return json;
}

Json pace_json(const StageTimes& times, const Pace& pace) {
  return {{"disk_seconds", times.disk.value},
          {"decode_seconds", times.decode.value},
          {"transfer_seconds", times.transfer.value},
          {"compute_seconds", times.compute.value},
          {"step_seconds", pace.step.value},
          {"bound_by", name_of(pace.bound_by)},
          {"busy", pace.busy}};
}

}  // namespace plimsoll
