// Watch: who is there. Every worker of a run keeps a connection to one Watch and says once in a while that it lives and
// what it does; a connection that breaks is a worker that is gone, and a long silence one that is stopped or cut off.
// It also carries the wish to stop to all workers, and ends those that are left when one is lost.
//
// The process that starts the workers has it, or rank 0 where they were started by others. Lines of text over TCP, only
// from those who know the token.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

inline constexpr const char* kStarting = "starting";  // what a worker does before its first step

enum class LostHow { gone, silent, never_came };

struct LostWorker {
  int rank = 0;
  std::string host;
  int64_t step = 0;   // that it was in
  std::string doing;  // "computing", "all-reduce"
  LostHow how = LostHow::gone;

  std::string line(Seconds silence) const;  // "rank 1 on node7 is gone, in step 12 (computing)"
};

class Watch {
 public:
  // `everywhere`: workers come from other machines too.
  static Result<Watch> open(int workers, Seconds silence, bool everywhere);
  Watch(Watch&&) = default;
  Watch& operator=(Watch&&) = default;
  ~Watch();

  // For PLIMSOLL_WATCH of the workers.
  std::string address() const;
  // Whether nobody but workers of this machine can come there.
  static bool is_on_this_host(const std::string& address);

  // Listens for at most so long.
  void serve(std::chrono::milliseconds timeout);

  // The first worker that was lost. Those who went after they had said how they end are not.
  const std::optional<LostWorker>& lost() const { return lost_; }
  bool all_trained() const;  // every one has begun to take steps
  bool all_done() const;     // every one has said how it ends
  bool all_left() const;     // every one that came has said how it ends, or is gone
  // The exit code that the lowest rank that failed has said; 0 only when all have said it.
  std::optional<int> exit_code() const;
  // Why the first one failed that did so alone.
  const std::optional<Error>& failure() const { return failure_; }
  const std::string& run_directory() const { return run_directory_; }
  std::vector<int> local_processes(const std::string& host) const;

  void ask_to_stop(bool interrupted);
  void end_all();  // those who are left leave at once

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    FileHandle connection{-1};
    int process = 0;
    std::string host, doing = kStarting, unread;
    int64_t step = 0;
    Clock::time_point heard;
    std::optional<int> exit_code;
    bool here = false, gone = false;
  };
  struct Stranger {
    FileHandle connection{-1};
    std::string unread;
    Clock::time_point came;
  };

  Watch(int workers, Seconds silence) : silence_(silence), workers_(size_t(workers)) {}
  void accept_stranger();
  void greet(Stranger& stranger);
  bool read(Worker& worker, int rank);
  void take(Worker& worker, int rank, const std::string& line);
  void lose(int rank, LostHow how);
  void look_for_silence();
  void send_all(const std::string& line);

  FileHandle listener_{-1};
  std::string token_;
  std::vector<std::string> addresses_;
  Seconds silence_;
  std::vector<Worker> workers_;
  std::vector<Stranger> strangers_;
  std::optional<LostWorker> lost_;
  std::optional<Error> failure_;
  std::string run_directory_;
  Clock::time_point opened_ = Clock::now(), spoke_ = opened_;
};

inline constexpr const char* kWatchVariable = "PLIMSOLL_WATCH";
inline constexpr Seconds kUsualSilence{60};

}  // namespace plimsoll
