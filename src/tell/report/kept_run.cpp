#include "tell/report/kept_run.h"

#include <algorithm>
#include <cctype>

#include "base/dtype.h"
#include "base/text.h"
#include "run/sweep/child_words.h"
#include "run/train/kept_request.h"
#include "tell/report/report_lead.h"

namespace plimsoll {
namespace {

constexpr size_t kWidestText = 60;

std::string whole_text(const Json& config, const char* field, const char* usual) {
  const auto kept = kept_in(config);
  if (!kept.ok() || !kept->is_object()) return usual;
  const auto found = kept->find(field);
  if (found == kept->end()) return usual;
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// "--data=some/where/photos" → "--data=photos"
std::string told_word(const std::string& word) {
  const size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const size_t value = equals == std::string::npos ? 0 : equals + 1;
  const std::string text = word.substr(value);
  return word.substr(0, value) + shell_word(text.find('/') == std::string::npos ? text : last_name(text));
}

}  // namespace

std::string kept_text(const Json& config, const char* field, const char* usual) {
  return printable(whole_text(config, field, usual), kWidestText);
}

std::string kept_name(const Json& config, const char* field, const char* usual) {
  return printable(last_name(whole_text(config, field, usual)), kWidestText);
}

std::string kept_device(const Json& config) {
  const std::string device = kept_text(config, "device", "cpu");
  return device == "cpu" ? "this machine" : device;
}

std::string kept_samples(const Json& config) {
  const auto type = config.find("input_dtype");
  const bool text = type != config.end() && type->is_string() && type->get<std::string>() == name_of(DType::i64);
  return text ? "sequences" : "images";
}

std::string speed_heading(std::string samples) {
  samples.front() = char(std::toupper(samples.front()));
  return samples + "/s";
}

std::string train_command(const Json& config) {
  const auto kept = kept_in(config);
  if (!kept.ok() || !kept->is_object()) return "";
  TrainRequest request;
  const Fields fields = fields_of(request);
  for (const auto& field : fields.all()) {
    const auto found = kept->find(field.row.name);
    if (found == kept->end() || found->is_null()) continue;
    if (!field.read(field.row.name, *found).ok()) return "";
  }
  request.run_dir.reset();
  std::string command = "plimsoll";
  for (const auto& word : words_of_training(request))
    if (word != "--json") command += " " + told_word(word);
  return command;
}

}  // namespace plimsoll
