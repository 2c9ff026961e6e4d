// Workers that mpirun or srun has started, through MPI. Without MPI at build time there is only the refusal.
#include "run/dist/communicator.h"

#ifdef PLIM_MPI

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/check.h"
#include "run/dist/host_name.h"
#include "run/dist/meeting.h"

namespace plimsoll {
namespace {

constexpr size_t kMost = size_t{1} << 28;  // items of one call: MPI counts in int
constexpr size_t kNameLength = 64;         // of a meeting, with its end

struct Constants {
  MPI_Comm world;
  MPI_Info no_info;
  MPI_Datatype byte, character, integer, f32, f64;
  MPI_Op sum, least;
};

#ifdef OPEN_MPI
template <class Handle>
void find(Handle& handle, const char* name) {
  handle = static_cast<Handle>(dlsym(RTLD_DEFAULT, name));
  PLIM_CHECK(handle, "Open MPI has no constant of this name");
}

// They are objects of its library, which may be loaded after this program (tell/cli/late_library.h): no linker knows
// where they are.
Constants find_constants() {
  Constants all{};
  find(all.world, "ompi_mpi_comm_world");
  find(all.no_info, "ompi_mpi_info_null");
  find(all.byte, "ompi_mpi_byte");
  find(all.character, "ompi_mpi_char");
  find(all.integer, "ompi_mpi_int");
  find(all.f32, "ompi_mpi_float");
  find(all.f64, "ompi_mpi_double");
  find(all.sum, "ompi_mpi_op_sum");
  find(all.least, "ompi_mpi_op_min");
  return all;
}
#else
Constants find_constants() {
  return {MPI_COMM_WORLD, MPI_INFO_NULL, MPI_BYTE, MPI_CHAR, MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_SUM, MPI_MIN};
}
#endif

// Once MPI has begun.
const Constants& mpi() {
  static const Constants all = find_constants();
  return all;
}

// MPI begins once in a process, and ends with it.
class Session {
 public:
  Session() {
    setenv("OMPI_MCA_btl_tcp_flags", "9", 0);  // no put: with it Open MPI sends and receives in turn
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided_);
  }
  ~Session() { MPI_Finalize(); }
  bool many_threads() const { return provided_ >= MPI_THREAD_MULTIPLE; }

 private:
  int provided_ = 0;
};

class Mpi : public Communicator {
 public:
  Mpi(std::shared_ptr<Session> session, MPI_Comm world) : session_(std::move(session)) {
    MPI_Comm_dup(world, &all_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
    if (size_ > 1) share_meeting();
  }
  ~Mpi() override { MPI_Comm_free(&all_); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const std::string& host() const override { return host_; }
  void sum(std::span<float> numbers) override { sum(numbers, mpi().f32); }
  void sum(std::span<double> numbers) override { sum(numbers, mpi().f64); }

  void broadcast(std::span<std::byte> bytes, int from) override {
    meet();
    for (size_t at = 0; at < bytes.size(); at += kMost)
      MPI_Bcast(&bytes[at], int(std::min(kMost, bytes.size() - at)), mpi().byte, from, all_);
  }

  std::vector<std::string> gather(const std::string& mine) override {
    meet();
    const int length = int(mine.size());
    std::vector<int> lengths(static_cast<size_t>(size_)), starts(static_cast<size_t>(size_));
    MPI_Allgather(&length, 1, mpi().integer, lengths.data(), 1, mpi().integer, all_);
    int total = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      starts[i] = total;
      total += lengths[i];
    }
    std::string joined(static_cast<size_t>(total), '\0');
    MPI_Allgatherv(mine.data(), length, mpi().character, joined.data(), lengths.data(), starts.data(), mpi().character,
                   all_);
    std::vector<std::string> parts;
    for (size_t i = 0; i < lengths.size(); ++i) parts.push_back(joined.substr(size_t(starts[i]), size_t(lengths[i])));
    return parts;
  }

  void deal(std::span<const std::byte> mine, std::span<std::byte> theirs) override {
    meet();
    const int part = part_of(theirs);
    MPI_Alltoall(mine.data(), part, mpi().byte, theirs.data(), part, mpi().byte, all_);
  }

  void collect(std::span<const std::byte> mine, std::span<std::byte> all) override {
    meet();
    const int part = part_of(all);
    MPI_Allgather(mine.data(), part, mpi().byte, all.data(), part, mpi().byte, all_);
  }

  void barrier() override {
    if (meeting_) meet();
    else MPI_Barrier(all_);
  }
  std::unique_ptr<Communicator> duplicate() override { return std::make_unique<Mpi>(session_, all_); }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(mpi().world, exit_code);
    std::abort();
  }

 private:
  // Where all are on one host. Rank 0 brings the memory.
  void share_meeting() {
    MPI_Comm host{};
    MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, 0, mpi().no_info, &host);
    int neighbours = 0;
    MPI_Comm_size(host, &neighbours);
    MPI_Comm_free(&host);
    if (neighbours != size_) return;
    std::string name;
    SharedMeeting meeting = rank_ == 0 ? new_meeting(name) : nullptr;
    name.resize(kNameLength, '\0');
    MPI_Bcast(name.data(), int(kNameLength), mpi().character, 0, all_);
    if (rank_ != 0) meeting = open_meeting(name.c_str());
    int all_have_it = meeting ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all_have_it, 1, mpi().integer, mpi().least, all_);
    if (rank_ == 0 && meeting) forget_meeting(name.c_str());
    if (all_have_it) meeting_ = std::move(meeting);
  }

  // Before a call in which MPI would wait for all: then it is short.
  void meet() {
    if (meeting_) meeting_->come(size_);
  }

  int part_of(std::span<const std::byte> whole) const {
    const size_t part = whole.size() / size_t(size_);
    PLIM_CHECK(part * size_t(size_) == whole.size() && part <= kMost, "parts that are not equal, or too large");
    return int(part);
  }

  template <class Number>
  void sum(std::span<Number> numbers, MPI_Datatype type) {
    meet();
    for (size_t at = 0; at < numbers.size(); at += kMost)
      MPI_Allreduce(MPI_IN_PLACE, &numbers[at], int(std::min(kMost, numbers.size() - at)), type, mpi().sum, all_);
  }

  std::shared_ptr<Session> session_;
  MPI_Comm all_{};
  int rank_ = 0, size_ = 1;
  SharedMeeting meeting_;  // nullptr: not all workers are on this host
  std::string host_ = host_name();
};

}  // namespace

bool built_with_mpi() { return true; }

Result<std::unique_ptr<Communicator>> mpi_communicator() {
  auto session = std::make_shared<Session>();
  if (!session->many_threads()) return environment_error("this MPI does not let several threads call it");
  return std::unique_ptr<Communicator>(std::make_unique<Mpi>(std::move(session), mpi().world));
}

}  // namespace plimsoll

#else

namespace plimsoll {

bool built_with_mpi() { return false; }

Result<std::unique_ptr<Communicator>> mpi_communicator() {
  return user_error("this program was built without MPI, so there is one worker only",
                    "install libopenmpi-dev and openmpi-bin and build again");
}

}  // namespace plimsoll

#endif
