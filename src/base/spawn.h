// A program that is started beside this one, by posix_spawn: first is said what it finds (files, signals, its folder),
// then start() is called. What posix_spawn needs for that is freed with the object.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace plimsoll {

class Spawn {
 public:
  // words[0] is what the program is told of its own name.
  explicit Spawn(std::vector<std::string> words);
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  void open_to_read(int fd, const std::string& path);
  void open_to_write(int fd, const std::string& path);  // empty at first
  void pass_on(int ours, int fd);                       // the same open file under another number
  void change_folder(const std::string& folder);
  void reset_signals(std::initializer_list<int> signals);  // also where this process ignores them
  void unblock_signals();                                  // also where this thread holds them back
  void begin_session();

  // A path, or a name that is looked for in PATH. 0 and the child's number, or an errno.
  int start(const char* program, pid_t& child);

 private:
  void set_flag(short flag);

  std::vector<std::string> words_;
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace plimsoll
