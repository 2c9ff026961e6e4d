#include "tests/harness/run_program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

[[noreturn]] void become(std::vector<char*>& argv, const std::string& folder, const std::string& out,
                         const std::string& err) {
  const int in_fd = open("/dev/null", O_RDONLY);
  const int out_fd = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_fd = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in_fd < 0 || out_fd < 0 || err_fd < 0 || chdir(folder.c_str()) != 0) _exit(126);
  dup2(in_fd, 0);
  dup2(out_fd, 1);
  dup2(err_fd, 2);
  execv(argv[0], argv.data());
  _exit(127);
}

std::string new_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "plimsoll-test-XXXXXX").string();
  return mkdtemp(pattern.data());
}

}  // namespace

int Ran::err_lines() const { return int(std::count(err.begin(), err.end(), '\n')); }

StartedProgram::StartedProgram(std::vector<std::string> words, const std::string& folder,
                               const std::vector<std::string>& environment)
    : scratch_(new_folder()), start_(now()) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ != 0) return;
  for (const auto& setting : environment) putenv(const_cast<char*>(setting.c_str()));
  become(argv, folder, scratch_ + "/out", scratch_ + "/err");
}

StartedProgram::~StartedProgram() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(scratch_, ignored);
}

Ran StartedProgram::wait() {
  int status = 0;
  rusage usage{};
  wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  Ran ran;
  ran.seconds = now() - start_;
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.peak_kib = usage.ru_maxrss;
  ran.out = contents(scratch_ + "/out");
  ran.err = contents(scratch_ + "/err");
  return ran;
}

Ran run_plimsoll(const std::vector<std::string>& arguments, const std::string& folder) {
  std::vector<std::string> words{PLIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return StartedProgram(std::move(words), folder).wait();
}

TemporaryFolder::TemporaryFolder() : path_(new_folder()) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace plimsoll
