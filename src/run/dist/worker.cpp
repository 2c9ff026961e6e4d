#include "run/dist/worker.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "run/dist/host_name.h"
#include "run/dist/share_gpus.h"

namespace plimsoll {
namespace {

constexpr int kExitUser = 2, kExitLost = 4;
constexpr std::chrono::seconds kPatience{3};

// What mpirun calls this process, before MPI has begun.
std::optional<int> rank_before_mpi() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank ? std::optional(std::atoi(rank)) : std::nullopt;
}

}  // namespace

// The Watch of a run whose workers mpirun or srun has started by itself: a thread of rank 0.
class Worker::OwnWatch {
 public:
  OwnWatch(Watch watch, Seconds silence, std::function<void(const std::string&)> say)
      : watch_(std::move(watch)), silence_(silence), say_(std::move(say)) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~OwnWatch() {
    quit_ = true;
    thread_.join();
  }

 private:
  void run() {
    while (!quit_) {
      watch_.serve(std::chrono::milliseconds(100));
      if (!watch_.lost() && !watch_.failure()) continue;
      say_(watch_.lost() ? watch_.lost()->line(silence_) : watch_.failure()->line());
      watch_.end_all();
      _exit(watch_.lost() ? kExitLost : watch_.exit_code().value_or(kExitLost));
    }
  }

  Watch watch_;
  Seconds silence_;
  std::function<void(const std::string&)> say_;
  std::atomic<bool> quit_ = false;
  std::thread thread_;
};

Worker::Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;
Worker::~Worker() = default;

Result<Worker> Worker::join(Seconds silence, Notices notices) {
  Worker worker;
  if (!started_by_mpi()) {
    worker.communicator_ = single_communicator();
    worker.cores_.threads = 0;
    return worker;
  }
  const char* given = std::getenv(kWatchVariable);
  worker.launched_ = given != nullptr;
  // Before MPI: it waits for all workers there, and for ever for one that is gone.
  std::optional<Result<std::unique_ptr<Pulse>>> pulse;
  if (const auto rank = rank_before_mpi(); given && rank)
    pulse = Pulse::begin({given, *rank, host_name(), notices.stop, notices.lost});
  // Nobody answers on this very host when the launcher is gone; MPI would wait for workers that have seen it sooner.
  if (pulse && !pulse->ok() && Watch::is_on_this_host(given)) return pulse->error();
  auto communicator = mpi_communicator();
  if (!communicator.ok()) {
    if (pulse && pulse->ok()) (**pulse)->fail(kExitLost, communicator.error().line());
    return communicator.error();
  }
  worker.communicator_ = *std::move(communicator);
  Communicator& all = *worker.communicator_;
  worker.cores_ = share_cores(all);
  worker.gpu_ = gpu_number(all, visible_gpus());
  if (all.alone() && !given) return worker;
  std::string address = given ? given : "";
  if (!given) {
    Status opened;
    if (all.first()) {
      auto watch = Watch::open(all.size(), silence, worker.cores_.local_workers < all.size());
      if (watch.ok()) {
        address = watch->address();
        worker.watch_ = std::make_unique<OwnWatch>(*std::move(watch), silence, notices.lost);
      } else {
        opened = watch.error();
      }
    }
    PLIM_TRY(all.together(opened));
    address = all.as_first_says(address);
  }
  if (!pulse) pulse = Pulse::begin({address, all.rank(), all.host(), notices.stop, notices.lost});
  PLIM_TRY(all.together(pulse->ok() ? Status() : Status(pulse->error())));
  worker.pulse_ = **std::move(pulse);
  return worker;
}

int Worker::leave(int exit_code) {
  if (pulse_) pulse_->bye(exit_code);
  communicator_->barrier();  // nobody ends mpirun's patience while another has not said it
  return launched_ ? 0 : exit_code;
}

void Worker::fail(const Error& error) {
  const int exit_code = error.kind == ErrorKind::environment ? kExitLost : kExitUser;
  if (pulse_) {
    pulse_->fail(exit_code, error.line());
    std::this_thread::sleep_for(kPatience);  // whoever watches ends this process
  }
  communicator_->abort(exit_code);
  _exit(exit_code);  // for compilers that do not see that abort() never returns
}

}  // namespace plimsoll
