// Runs a program as a user would and tells what came of it. For tests of the command line.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

struct Ran {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out, err;
  long peak_kib = 0;  // largest resident set, as the system counts it
  double seconds = 0;

  int err_lines() const;
};

// A program that is running: to be signalled, and waited for once.
class StartedProgram {
 public:
  // words[0] is the program. `environment`: NAME=VALUE, beside what is there already.
  explicit StartedProgram(std::vector<std::string> words, const std::string& folder = ".",
                          const std::vector<std::string>& environment = {});
  ~StartedProgram();
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  int pid() const { return pid_; }
  Ran wait();

 private:
  std::string scratch_;
  int pid_ = -1;
  double start_ = 0;
};

// `arguments` go to build/plimsoll (PLIM_PROGRAM), run in `folder`; standard input is empty.
Ran run_plimsoll(const std::vector<std::string>& arguments, const std::string& folder = ".");

// A folder of its own under the system's temporary one, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string write(const std::string& name, const std::string& bytes) const;  // the file's path

 private:
  std::string path_;
};

}  // namespace plimsoll
