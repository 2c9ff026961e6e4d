#include "base/spawn.h"

#include <csignal>
#include <utility>

extern char** environ;

namespace plimsoll {

Spawn::Spawn(std::vector<std::string> words) : words_(std::move(words)) {
  posix_spawn_file_actions_init(&files_);
  posix_spawnattr_init(&attributes_);
}

Spawn::~Spawn() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&attributes_);
}

void Spawn::open_to_read(int fd, const std::string& path) {
  posix_spawn_file_actions_addopen(&files_, fd, path.c_str(), O_RDONLY, 0);
}

void Spawn::open_to_write(int fd, const std::string& path) {
  posix_spawn_file_actions_addopen(&files_, fd, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

void Spawn::pass_on(int ours, int fd) { posix_spawn_file_actions_adddup2(&files_, ours, fd); }

void Spawn::change_folder(const std::string& folder) { posix_spawn_file_actions_addchdir_np(&files_, folder.c_str()); }

void Spawn::reset_signals(std::initializer_list<int> signals) {
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : signals) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes_, &usual);
  set_flag(POSIX_SPAWN_SETSIGDEF);
}

void Spawn::unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes_, &none);
  set_flag(POSIX_SPAWN_SETSIGMASK);
}

void Spawn::begin_session() { set_flag(POSIX_SPAWN_SETSID); }

void Spawn::set_flag(short flag) {
  short flags = 0;
  posix_spawnattr_getflags(&attributes_, &flags);
  posix_spawnattr_setflags(&attributes_, short(flags | flag));
}

int Spawn::start(const char* program, pid_t& child) {
  std::vector<char*> arguments;
  for (auto& word : words_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return posix_spawnp(&child, program, &files_, &attributes_, arguments.data(), environ);
}

}  // namespace plimsoll
