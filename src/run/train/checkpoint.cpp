#include "run/train/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/rows/json.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "base/write_file.h"
#include "run/train/checkpoint_weights.h"
#include "run/train/initialise.h"
#include "run/train/json_fields.h"
#include "run/train/staging.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "plimsoll.checkpoint/1";
constexpr int64_t kMostJsonBytes = 64 << 20;

std::string json_path(const std::string& folder, CheckpointKind kind) {
  return fmt::format("{}/{}.json", folder, name_of(kind));
}

Result<std::string> read_text(const std::string& path) {
  PLIM_ASSIGN(const auto source, open_regular_file(path, ".json"));
  if (source->size() > kMostJsonBytes)
    return user_error(fmt::format("has {} bytes, expected a checkpoint's JSON", source->size()));
  std::string text(size_t(source->size()), '\0');
  PLIM_TRY(source->read(0, text));
  return text;
}

Result<Checkpoint> read_json(const std::string& path) {
  auto text = read_text(path);
  if (!text.ok()) return std::move(text).error().in(printable(path, 200));
  auto checkpoint = parse_checkpoint(path, *text);
  if (!checkpoint.ok()) return std::move(checkpoint).error().in(printable(path, 200));
  return checkpoint;
}

SafetensorsHeader header_of(const Program& program, CheckpointKind kind) {
  std::vector<StoredTensor> tensors;
  for (const ValueId id : stored_values(program, kind))
    tensors.push_back({program.value(id).name, *program.value(id).type});
  return lay_out(std::move(tensors), {{"format", "pt"}, {"made_by", "plimsoll"}});
}

// A name that no file there has: what a checkpoint names stays whole until the new one is.
std::string new_tensors_name(const std::string& folder, CheckpointKind kind, const TrainingState& state) {
  std::error_code ignored;
  for (std::string more;; more += 'b') {
    std::string name = fmt::format("{}-{:08}{}.safetensors", name_of(kind), state.step, more);
    if (!fs::exists(fs::path(folder) / name, ignored)) return name;
  }
}

// What stands in the present JSON, readable or not; empty without one.
std::string named_tensors(const std::string& folder, CheckpointKind kind) {
  const auto there = read_json(json_path(folder, kind));
  return there.ok() ? fs::path(there->tensors_path).filename().string() : "";
}

bool is_tensors_name(const std::string& name, CheckpointKind kind) {
  return name.starts_with(fmt::format("{}-", name_of(kind))) && name.ends_with(".safetensors");
}

void remove_files(const std::string& folder, const std::function<bool(const std::string& name)>& unwanted) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (unwanted(at->path().filename().string())) found.push_back(at->path());
  for (const auto& path : found) unlink(path.c_str());
}

Result<uint32_t> write_tensors(const std::string& path, Executor& executor, CheckpointKind kind) {
  const Program& program = executor.program();
  PLIM_ASSIGN(SafetensorsWriter writer, SafetensorsWriter::create(path, header_of(program, kind)));
  Staging staging(executor);
  for (const ValueId id : stored_values(program, kind)) {
    const auto bytes = staging.take(program.value(id).type->bytes());
    executor.read(id, bytes);
    PLIM_TRY(writer.append(bytes));
  }
  PLIM_TRY(writer.finish());
  return writer.checksum();
}

// What the program wants and the file lacks or has otherwise, the first few.
Status compare(const Program& program, const SafetensorsReader& reader, const Checkpoint& checkpoint) {
  std::vector<std::string> wrong;
  std::vector<ValueId> needed = stored_values(program, checkpoint.kind);
  for (const FoldedNorm& folded : program.folded)
    for (const ValueId id : {folded.conv_bias, folded.scale, folded.mean, folded.variance})
      if (id.present()) needed.push_back(id);
  for (const ValueId id : needed) {
    const ProgramValue& value = program.value(id);
    const StoredTensor* stored = reader.find(value.name);
    if (!stored) wrong.push_back(fmt::format("{} is missing", plimsoll::in_quotes(value.name)));
    else if (stored->type != *value.type)
      wrong.push_back(fmt::format("{} is {} {}, expected {} {}", plimsoll::in_quotes(value.name),
                                  stored->type.shape.text(), name_of(stored->type.dtype), value.type->shape.text(),
                                  name_of(value.type->dtype)));
    if (wrong.size() == 3) break;
  }
  if (wrong.empty()) return {};
  return user_error(fmt::format("was saved from another network or with another optimizer: {}", fmt::join(wrong, "; ")))
      .in(printable(checkpoint.path, 200));
}

}  // namespace

Result<Checkpoint> parse_checkpoint(const std::string& path, std::string_view text) {
  PLIM_ASSIGN(const Json json, parse_strict_json(text));
  const JsonFields fields(json, "the checkpoint");
  PLIM_ASSIGN(const std::string schema, fields.text("schema"));
  if (schema != kSchema)
    return user_error(fmt::format("is {}, expected {}", plimsoll::in_quotes(schema), kSchema),
                      "another version wrote it");
  Checkpoint checkpoint;
  checkpoint.path = path;
  PLIM_ASSIGN(const std::string kind, fields.text("kind"));
  checkpoint.kind = kind == name_of(CheckpointKind::best) ? CheckpointKind::best : CheckpointKind::last;
  PLIM_ASSIGN(const std::string tensors, fields.text("tensors"));
  if (tensors.empty() || tensors.find('/') != std::string::npos || tensors.find('\0') != std::string::npos)
    return user_error(fmt::format("its tensors are in {}, expected a file beside it", plimsoll::in_quotes(tensors)));
  checkpoint.tensors_path = (fs::path(path).parent_path() / tensors).string();
  PLIM_ASSIGN(checkpoint.tensors_bytes, fields.integer("bytes"));
  PLIM_ASSIGN(const int64_t checksum, fields.integer("crc32"));
  checkpoint.checksum = uint32_t(checksum);
  PLIM_ASSIGN(const Json* state, fields.object("state"));
  PLIM_ASSIGN(checkpoint.state, read_training_state(*state));
  PLIM_ASSIGN(const Json* config, fields.object("config"));
  checkpoint.config = *config;
  return checkpoint;
}

std::string_view name_of(CheckpointKind kind) { return kind == CheckpointKind::best ? "best" : "last"; }

std::vector<ValueId> stored_values(const Program& program, CheckpointKind kind) {
  std::vector<ValueId> stored;
  const bool states = kind == CheckpointKind::last && program.loss.present();  // an inference's are of its run alone
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    const bool wanted =
        value.role == Role::parameter || value.role == Role::buffer || (value.role == Role::state && states);
    if (wanted && value.type && !value.storage.present() && !value.constant) stored.push_back({int32_t(i)});
  }
  return stored;
}

Bytes checkpoint_bytes(const Program& program, CheckpointKind kind) {
  return Bytes(safetensors_file_bytes(header_of(program, kind)));
}

Status save_checkpoint(const std::string& folder, CheckpointKind kind, Executor& executor, const TrainingState& state,
                       const Json& config) {
  const std::string name = new_tensors_name(folder, kind, state);
  const std::string path = fmt::format("{}/{}", folder, name);
  const auto checksum = write_tensors(path, executor, kind);
  if (!checksum.ok()) {
    unlink(path.c_str());  // there only when the folder could not be flushed
    return checksum.error();
  }
  const Json json{{"schema", kSchema},  {"kind", name_of(kind)},
                  {"tensors", name},    {"bytes", checkpoint_bytes(executor.program(), kind).value()},
                  {"crc32", *checksum}, {"state", to_json(state)},
                  {"config", config}};
  const Status written =
      write_whole_file(json_path(folder, kind), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!written.ok()) {
    if (named_tensors(folder, kind) != name) unlink(path.c_str());
    return written;
  }
  // Not only the one before: a disk that failed may have kept its name from being read.
  remove_files(folder, [&](const std::string& there) { return is_tensors_name(there, kind) && there != name; });
  return {};
}

Result<std::optional<Checkpoint>> read_checkpoint(const std::string& folder, CheckpointKind kind) {
  std::error_code ignored;
  if (!fs::exists(json_path(folder, kind), ignored)) return std::optional<Checkpoint>();
  PLIM_ASSIGN(Checkpoint checkpoint, read_json(json_path(folder, kind)));
  return std::optional(std::move(checkpoint));
}

Result<Checkpoint> read_checkpoint(const std::string& path) {
  std::error_code ignored;
  const fs::path given(path);
  if (fs::is_directory(given, ignored)) {
    for (const auto kind : {CheckpointKind::best, CheckpointKind::last}) {
      PLIM_ASSIGN(auto found, read_checkpoint(path, kind));
      if (found) return *std::move(found);
    }
    return user_error("has no checkpoint, neither best.json nor last.json", "is it a run's folder?")
        .in(printable(path, 200));
  }
  if (given.extension() != ".safetensors") return read_json(path);
  const std::string folder = given.has_parent_path() ? given.parent_path().string() : ".";
  for (const auto kind : {CheckpointKind::best, CheckpointKind::last})
    if (named_tensors(folder, kind) == given.filename().string()) return read_json(json_path(folder, kind));
  PLIM_TRY(SafetensorsReader::open(path));  // says first what may be wrong with the file itself
  return user_error("has no best.json or last.json beside it that names it", "give the run's folder")
      .in(printable(path, 200));
}

Result<SafetensorsReader> open_tensors(const Checkpoint& checkpoint) {
  const std::string hint =
      checkpoint.kind == CheckpointKind::last ? "best.json beside it may be whole" : "last.json beside it may be whole";
  auto reader = SafetensorsReader::open(checkpoint.tensors_path);
  if (!reader.ok()) {
    Error error = std::move(reader).error();
    if (error.hint.empty()) error.hint = hint;
    return error;
  }
  PLIM_ASSIGN(const uint32_t checksum, reader->checksum());
  if (checksum != checkpoint.checksum)
    return user_error(fmt::format("is damaged: its checksum is {:08x}, expected {:08x}", checksum, checkpoint.checksum),
                      hint)
        .in(printable(checkpoint.tensors_path, 200));
  return reader;
}

Status load_tensors(const Checkpoint& checkpoint, Executor& executor) {
  PLIM_ASSIGN(SafetensorsReader reader, open_tensors(checkpoint));
  const Program& program = executor.program();
  PLIM_TRY(compare(program, reader, checkpoint));
  if (!program.folded.empty()) {
    PLIM_TRY(load_weights(executor, CheckpointWeights(std::move(reader))));
    return {};
  }
  Staging staging(executor);
  for (const ValueId id : stored_values(program, checkpoint.kind)) {
    const auto bytes = staging.take(program.value(id).type->bytes());
    PLIM_TRY(reader.read(*reader.find(program.value(id).name), bytes));
    executor.write(id, bytes);
  }
  return {};
}

void sweep_leftovers(const std::string& folder) {
  std::error_code error;
  std::set<std::string> named;
  for (const auto kind : {CheckpointKind::last, CheckpointKind::best}) {
    named.insert(named_tensors(folder, kind));
    // A JSON that cannot be read may still name tensors that can: nothing is removed then.
    if (named.contains("") && fs::exists(json_path(folder, kind), error)) return;
    named.erase("");
  }
  remove_files(folder, [&](const std::string& name) {
    const bool tensors = is_tensors_name(name, CheckpointKind::last) || is_tensors_name(name, CheckpointKind::best);
    return name.ends_with(kPartSuffix) || (tensors && !named.contains(name));
  });
}

}  // namespace plimsoll
