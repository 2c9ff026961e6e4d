// Answers: who answers which question. Networks of the zoo are known to a few processes, each upload to two of its own.
// Whoever drags the slider waits for two answers, about memory and about time; the long questions that are asked when
// it rests must not stand in their way. So each kind has processes of its own, which answer beside each other.
#pragma once

#include <array>
#include <memory>
#include <semaphore>
#include <vector>

#include "base/rows/json.h"
#include "tell/serve/answer_process.h"

namespace plimsoll {

inline constexpr std::string_view kUploaded = "upload-";  // how the name of an upload begins

class Answers {
 public:
  // `uploads`: what a process of one may take.
  explicit Answers(const AnswerLimits& uploads);

  // {"model": "resnet50", "batch": 64, …}: the verb's request.
  Result<PageAnswer> ask(std::string_view verb, const Json& request);

  // Looks at an .onnx file and keeps it under a name when it is one; else what is wrong with it. The oldest makes room.
  Result<PageAnswer> add(FileHandle network);

 private:
  enum class Kind { memory, rest, slow };
  static constexpr size_t kKinds = 3, kBesides = 2;  // processes of a kind, each with its share of the networks
  using Process = std::shared_ptr<AnswerProcess>;

  struct Upload {
    std::string name;
    Process quick, slow;
  };

  static Kind kind_of(std::string_view verb, const Json& request);
  Process who(Kind kind, const std::string& model);

  const AnswerLimits upload_limits_;
  std::array<Process, kKinds * kBesides> zoo_;
  std::counting_semaphore<> looking_{2};  // uploads that are looked at: more at one time wait
  std::mutex mutex_;
  std::vector<Upload> uploads_;  // oldest first
};

}  // namespace plimsoll
