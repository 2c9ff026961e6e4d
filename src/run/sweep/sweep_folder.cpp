#include "run/sweep/sweep_folder.h"

#include <filesystem>
#include <fstream>

#include "base/rows/named.h"
#include "base/text.h"
#include "base/write_file.h"
#include "run/train/kept_request.h"

namespace plimsoll {
namespace {

constexpr const char* kSweepFile = "sweep.json";

Json common_of(TrainRequest train) {
  Json common = agreed_request(train);
  for (const char* listed : {"batch", "lr", "seed"}) common.erase(listed);
  if (train.np && *train.np > 1) common["np"] = *train.np;  // they share a step
  return common;
}

Result<Json> begun_with(std::ifstream& file) {
  Json kept = Json::parse(file, nullptr, false);
  if (kept.is_discarded() || !kept.is_object()) return user_error("is not a sweep's file");
  if (!kept.contains("MODEL")) return kept;
  PLIM_ASSIGN(TrainRequest train, request_from_flags(kept));
  return common_of(std::move(train));
}

Status compare(const Json& before, const Json& common) {
  for (const Json* side : {&before, &common})
    for (const auto& [name, value] : side->items())
      if (before.value(name, Json()) != common.value(name, Json()))
        return user_error(fmt::format("{} is not what the sweep was started with",
                                      name == "model" ? "MODEL" : named(printable(name, 80))),
                          fmt::format("give the same as then, or another {}", named("run_dir")));
  return {};
}

}  // namespace

Status open_sweep_folder(const SweepRequest& request) {
  const std::string folder = request.folder(), path = folder + "/" + kSweepFile;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return environment_error("cannot be created: " + failed.message()).in(printable(folder, 200));
  const Json common = common_of(request.train);
  std::ifstream file(path);
  if (!file) return write_whole_file(path, json_text(common));
  auto before = begun_with(file);
  if (!before.ok()) return std::move(before).error().in(printable(path, 200));
  auto same = compare(*before, common);
  if (!same.ok()) return std::move(same).error().in(printable(folder, 200));
  return {};
}

}  // namespace plimsoll
