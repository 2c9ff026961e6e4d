#include "run/train/network_notes.h"

#include "base/strict_json.h"
#include "base/text.h"
#include "run/data/text/tokenizer_file.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

constexpr const char *kClasses = "plimsoll.classes", *kNormalise = "plimsoll.normalise", *kMean = "plimsoll.mean",
                     *kDeviation = "plimsoll.deviation", *kTokenizer = "plimsoll.tokenizer";

// A list of the metadata, entry by entry; absent: empty.
template <class T>
Status read_list(const Metadata& metadata, const char* key, std::vector<T>& into) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  const auto json = parse_strict_json(found->second);
  if (!json.ok() || !json->is_array()) return user_error(fmt::format("has {} that is not a list", key));
  for (const auto& entry : *json) {
    if (std::is_same_v<T, double> ? !entry.is_number() : !entry.is_string())
      return user_error(fmt::format("has {} with an entry of another kind", key));
    into.push_back(entry.get<T>());
  }
  return {};
}

}  // namespace

Result<NetworkNotes> notes_of_run(const Checkpoint& checkpoint, const TrainRequest& request) {
  NetworkNotes notes;
  notes.class_names = class_names_of_run(checkpoint);
  notes.data.mean = request.data.mean;
  notes.data.deviation = request.data.deviation;
  notes.data.normalise =
      request.data.normalise.value_or(request.data.mean.empty() ? Normalise::scale : Normalise::standard);
  if (request.data.tokenizer && request.data.tokenizer->kind == TokenizerChoice::Kind::file) {
    PLIM_ASSIGN(const TokenizerPtr tokenizer, read_tokenizer(request.data.tokenizer->path));
    notes.tokenizer = tokenizer_text(*tokenizer);
  }
  return notes;
}

Metadata as_metadata(const NetworkNotes& notes) {
  Metadata metadata;
  if (!notes.class_names.empty()) metadata[kClasses] = Json(notes.class_names).dump();
  if (notes.data.normalise) metadata[kNormalise] = std::string(choice_name(*notes.data.normalise));
  if (!notes.data.mean.empty()) metadata[kMean] = Json(notes.data.mean).dump();
  if (!notes.data.deviation.empty()) metadata[kDeviation] = Json(notes.data.deviation).dump();
  if (!notes.tokenizer.empty()) metadata[kTokenizer] = notes.tokenizer;
  return metadata;
}

Result<NetworkNotes> notes_in_file(const std::string& path) {
  const auto read = [&]() -> Result<NetworkNotes> {
    PLIM_ASSIGN(const Metadata metadata, onnx_metadata(path));
    NetworkNotes notes;
    PLIM_TRY(read_list(metadata, kClasses, notes.class_names));
    PLIM_TRY(read_list(metadata, kMean, notes.data.mean));
    PLIM_TRY(read_list(metadata, kDeviation, notes.data.deviation));
    if (const auto found = metadata.find(kTokenizer); found != metadata.end()) notes.tokenizer = found->second;
    if (const auto found = metadata.find(kNormalise); found != metadata.end()) {
      PLIM_ASSIGN(notes.data.normalise, choice_named<Normalise>(kNormalise, found->second));
    }
    return notes;
  };
  auto notes = read();
  if (!notes.ok()) return std::move(notes).error().in(printable(path, 200));
  return notes;
}

}  // namespace plimsoll
