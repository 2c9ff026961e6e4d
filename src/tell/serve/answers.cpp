#include "tell/serve/answers.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <functional>

#include "base/text.h"
#include "tell/serve/session.h"

namespace plimsoll {
namespace {

constexpr size_t kUploads = 4;
constexpr AnswerLimits kZooLimits{std::nullopt, Seconds{60}, false};

std::string question_of(std::string_view verb, const Json& request) {
  return Json{{"verb", verb}, {"request", request}}.dump(-1, ' ', true, Json::error_handler_t::replace);
}

AnswerLimits patient(AnswerLimits limits) {
  limits.patient = true;
  return limits;
}

// A place among those who look.
class Looking {
 public:
  explicit Looking(std::counting_semaphore<>& places) : places_(places) { places_.acquire(); }
  ~Looking() { places_.release(); }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  std::counting_semaphore<>& places_;
};

}  // namespace

Answers::Answers(const AnswerLimits& uploads) : upload_limits_(uploads) {
  for (size_t i = 0; i < zoo_.size(); ++i) {
    const bool slow = Kind(i / kBesides) == Kind::slow;
    zoo_[i] = std::make_shared<AnswerProcess>(slow ? patient(kZooLimits) : kZooLimits, FileHandle());
  }
}

Answers::Kind Answers::kind_of(std::string_view verb, const Json& request) {
  if (verb == "scale" || verb == "step" || verb == "report") return Kind::slow;
  if (verb == "place" && !request.contains("device")) return Kind::slow;  // of the whole catalog
  if (verb != "fit") return Kind::rest;
  return request.contains("brief") ? Kind::memory : Kind::slow;
}

// A network is always asked of the same processes, which have its steps by then.
Answers::Process Answers::who(Kind kind, const std::string& model) {
  if (!model.starts_with(kUploaded)) return zoo_[size_t(kind) * kBesides + std::hash<std::string>()(model) % kBesides];
  const std::lock_guard lock(mutex_);
  for (const auto& upload : uploads_)
    if (upload.name == model) return kind == Kind::slow ? upload.slow : upload.quick;
  return nullptr;
}

Result<PageAnswer> Answers::ask(std::string_view verb, const Json& request) {
  const auto model = request.find("model");
  const std::string name = model != request.end() && model->is_string() ? model->get<std::string>() : "";
  const auto process = who(kind_of(verb, request), name);
  if (!process)
    return user_error(fmt::format("{} is not here any more", in_quotes(name)), "drop the file on the page again");
  return process->ask(question_of(verb, request));
}

Result<PageAnswer> Answers::add(FileHandle network) {
  PLIM_ASSIGN(const std::string random, random_name());
  const std::string name = std::string(kUploaded) + random;
  FileHandle same(fcntl(network.fd(), F_DUPFD_CLOEXEC, 0));
  if (same.fd() < 0) return environment_error("no more files can be open");
  const auto quick = std::make_shared<AnswerProcess>(upload_limits_, std::move(network));
  const auto slow = std::make_shared<AnswerProcess>(patient(upload_limits_), std::move(same));
  const Looking looking(looking_);
  PLIM_ASSIGN(PageAnswer answer, quick->ask(question_of("network", {{"model", name}})));
  if (answer.status != 200) return answer;
  const std::lock_guard lock(mutex_);
  uploads_.push_back({name, quick, slow});
  if (uploads_.size() > kUploads) uploads_.erase(uploads_.begin());
  return answer;
}

}  // namespace plimsoll
