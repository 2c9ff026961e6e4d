// AnswerProcess: this program once more, as a child that answers questions, a line each. What it reads may be a
// stranger's file, and some questions are long: it has limits of memory and time, and when it dies the server lives.
#pragma once

#include <mutex>
#include <string>

#include "base/byte_source.h"
#include "base/units.h"

namespace plimsoll {

struct AnswerLimits {
  std::optional<Bytes> memory;  // of the child's address space
  Seconds answer{20};           // for one question
  bool patient = false;         // it lets others go first
};

// A line of an answer: its status as in HTTP, then JSON.
struct PageAnswer {
  int status = 500;
  std::string json;
};

class AnswerProcess {
 public:
  // `network`: an .onnx file that it answers about; none: it knows the zoo. Starts nothing until it is asked.
  AnswerProcess(const AnswerLimits& limits, FileHandle network) : limits_(limits), network_(std::move(network)) {}
  ~AnswerProcess();
  AnswerProcess(const AnswerProcess&) = delete;
  AnswerProcess& operator=(const AnswerProcess&) = delete;

  // `question` is one line. An Error when the process took too long or died; the next question starts another.
  Result<PageAnswer> ask(const std::string& question);

 private:
  Status start();
  int stop();  // the exit status
  Result<std::string> read_line();

  const AnswerLimits limits_;
  FileHandle network_, to_, from_;
  int pid_ = -1;
  std::mutex mutex_;
};

// The child's side. Answers lines of standard input on standard output until it ends.
inline constexpr int kNetworkDescriptor = 3;  // where a network is, if there is one
inline constexpr const char* kAnswerFlag = "--answer";
inline constexpr const char* kAnswerMemoryFlag = "--answer-memory";
inline constexpr const char* kAnswerNetworkFlag = "--answer-network";
inline constexpr const char* kAnswerPatientFlag = "--answer-patient";

}  // namespace plimsoll
