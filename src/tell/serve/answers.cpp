#include "tell/serve/answers.h"

#include <fmt/format.h>

#include <functional>

#include "base/text.h"
#include "tell/serve/session.h"

namespace plimsoll {
namespace {

constexpr size_t kZooProcesses = 2, kUploads = 4;
constexpr AnswerLimits kZooLimits{std::nullopt, Seconds{60}};
constexpr AnswerLimits kUploadLimits{Bytes(int64_t{3} << 30), Seconds{20}};

std::string question_of(std::string_view verb, const Json& flags) {
  return Json{{"verb", verb}, {"flags", flags}}.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

Answers::Answers() {
  for (size_t i = 0; i < kZooProcesses; ++i) zoo_.push_back(std::make_shared<AnswerProcess>(kZooLimits, FileHandle()));
}

// A network is always asked of the same process, which has its steps by then.
std::shared_ptr<AnswerProcess> Answers::who(const std::string& model) {
  if (!model.starts_with(kUploaded)) return zoo_[std::hash<std::string>()(model) % zoo_.size()];
  const std::lock_guard lock(mutex_);
  for (const auto& [name, process] : uploads_)
    if (name == model) return process;
  return nullptr;
}

Result<PageAnswer> Answers::ask(std::string_view verb, const Json& flags) {
  const auto model = flags.find("model");
  const std::string name = model != flags.end() && model->is_string() ? model->get<std::string>() : "";
  const auto process = who(name);
  if (!process)
    return user_error(fmt::format("{} is not here any more", in_quotes(name)), "drop the .onnx file on the page again");
  return process->ask(question_of(verb, flags));
}

Result<PageAnswer> Answers::add(FileHandle network) {
  PLIM_ASSIGN(const std::string random, random_name());
  const std::string name = std::string(kUploaded) + random;
  const auto process = std::make_shared<AnswerProcess>(kUploadLimits, std::move(network));
  PLIM_ASSIGN(PageAnswer answer, process->ask(question_of("weigh", {{"model", name}, {"top", "1"}})));
  if (answer.status != 200) return answer;
  const std::lock_guard lock(mutex_);
  uploads_.emplace_back(name, process);
  if (uploads_.size() > kUploads) uploads_.erase(uploads_.begin());
  return answer;
}

}  // namespace plimsoll
