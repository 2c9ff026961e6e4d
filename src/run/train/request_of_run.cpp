#include "run/train/request_of_run.h"

#include <filesystem>

#include "run/data/text/tokenizer_file.h"
#include "run/train/kept_request.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

std::vector<double> numbers_in(const Json& config, const char* name) {
  std::vector<double> numbers;
  const auto list = config.find(name);
  if (list == config.end() || !list->is_array()) return numbers;
  for (const auto& number : *list)
    if (number.is_number()) numbers.push_back(number.get<double>());
  return numbers;
}

}  // namespace

Result<TrainRequest> request_of_run(const Checkpoint& checkpoint) {
  TrainRequest request;
  PLIM_ASSIGN(const Json kept, kept_in(checkpoint.config));
  if (!kept.is_object()) return user_error("does not say how its network was made").in(printable(checkpoint.path, 200));
  PLIM_TRY(take_over(request, {}, kept));
  if (auto mean = numbers_in(checkpoint.config, "mean"); !mean.empty()) {
    request.data.mean = std::move(mean);
    request.data.deviation = numbers_in(checkpoint.config, "deviation");
  }
  // Texts are read with what the run has learnt, whatever it was learnt from.
  const fs::path kept_tokenizer = fs::path(checkpoint.path).parent_path() / kTokenizerFile;
  std::error_code none;
  if (fs::is_regular_file(kept_tokenizer, none)) {
    TokenizerChoice& choice = request.data.tokenizer.emplace();
    choice.kind = TokenizerChoice::Kind::file;
    choice.path = kept_tokenizer.string();
  }
  return request;
}

std::vector<std::string> class_names_of_run(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  const auto list = checkpoint.config.find("class_names");
  if (list == checkpoint.config.end() || !list->is_array()) return names;
  for (const auto& name : *list)
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

}  // namespace plimsoll
