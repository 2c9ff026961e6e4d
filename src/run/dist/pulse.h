// Pulse: a worker's connection to the Watch. A thread of its own says again and again that this process lives, and ends
// it when the Watch says so, is gone, or has been silent for too long: so no worker outlives its run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/units.h"
#include "run/dist/watch.h"

namespace plimsoll {

class Pulse {
 public:
  struct Settings {
    std::string address;  // as Watch::address() has it
    int rank = 0;
    std::string host;
    std::function<void(bool interrupted)> stop;  // told on the pulse's thread that the run should end after this step
    std::function<void(const std::string& line)> lost;  // why this process is about to end; on the pulse's thread
  };
  static Result<std::unique_ptr<Pulse>> begin(Settings settings);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // `doing` is text that stays, such as a literal.
  void at(int64_t step, const char* doing);
  void run_directory(const std::string& path);
  // The last word: from now on this process may end. What it ends with goes to whoever started it. Once nobody
  // watches any more it ends in any case: others that it waits for at the end may be gone.
  void bye(int exit_code);
  // This rank alone has failed: whoever watches says why and ends all.
  void fail(int exit_code, const std::string& line);

 private:
  Pulse(Settings settings, FileHandle connection, Seconds silence);
  void run();
  void take(const std::string& line);
  void say(const std::string& line);
  void say_where();
  [[noreturn]] void leave(const char* why);
  void leave_after_bye();

  Settings settings_;
  FileHandle connection_;
  Seconds silence_;
  std::atomic<int64_t> step_ = 0;
  std::atomic<const char*> doing_ = kStarting;
  std::atomic<int64_t> said_ = 0;   // when, in milliseconds
  std::atomic<int> exit_code_ = 0;  // said with bye
  std::atomic<bool> bye_ = false, quit_ = false;
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace plimsoll
