// Answers: who answers which question. Networks of the zoo are known to a few processes, each upload to one of its own.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "tell/report/json.h"
#include "tell/serve/answer_process.h"

namespace plimsoll {

inline constexpr std::string_view kUploaded = "upload-";  // how the name of an upload begins

class Answers {
 public:
  Answers();

  // {"model": "resnet50", "batch": "64", …}: the flags of the verb by their names.
  Result<PageAnswer> ask(std::string_view verb, const Json& flags);

  // Looks at an .onnx file and keeps it under a name when it is one; else what is wrong with it. The oldest makes room.
  Result<PageAnswer> add(FileHandle network);

 private:
  std::shared_ptr<AnswerProcess> who(const std::string& model);

  std::vector<std::shared_ptr<AnswerProcess>> zoo_;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::shared_ptr<AnswerProcess>>> uploads_;  // oldest first
};

}  // namespace plimsoll
