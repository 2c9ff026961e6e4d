#include "run/measure/disk_speed.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "base/byte_source.h"
#include "base/nameless_file.h"
#include "base/rows/named.h"
#include "base/text.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBlock = 16 << 20;  // written and flushed at a time: as a checkpoint would
constexpr size_t kReadBlock = 1 << 20;
constexpr double kCachedShare = 0.05;  // more than this still in memory: a read would time the memory

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// What no disk and no file system can squeeze.
std::vector<char> random_block() {
  std::vector<char> block(kBlock);
  std::mt19937_64 random(1);
  for (size_t i = 0; i < kBlock; i += 8) {
    const uint64_t bits = random();
    std::memcpy(block.data() + i, &bits, 8);
  }
  return block;
}

int64_t room_for(int fd, Bytes most) {
  struct statvfs system {};
  if (fstatvfs(fd, &system) != 0) return most.value();
  const double free = double(system.f_bavail) * double(system.f_frsize);
  return int64_t(std::min(double(most.value()), free / 4)) / int64_t{kBlock} * int64_t{kBlock};
}

// The bytes on the disk when time or room is up; flushed block by block, or the time would be the page cache's.
int64_t write_blocks(int fd, int64_t room, const DiskEffort& effort, DiskSpeed& speed) {
  const auto block = random_block();
  const auto start = Clock::now();
  int64_t done = 0;
  while (done < room && seconds_since(start) < effort.longest.value) {
    const ssize_t wrote = pwrite(fd, block.data(), kBlock, done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0 || fdatasync(fd) != 0) {
      speed.note = fmt::format("the disk was not measured: {}", std::strerror(wrote == 0 ? ENOSPC : errno));
      return 0;
    }
    done += wrote;
  }
  speed.write = BytesPerSecond{double(done) / std::max(seconds_since(start), 1e-9)};
  return done;
}

// The share of the file that is still in the page cache after it was asked to go.
double cached_share(int fd, int64_t bytes) {
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  void* mapped = mmap(nullptr, size_t(bytes), PROT_READ, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) return 1;
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((size_t(bytes) + page - 1) / page);
  const bool known = mincore(mapped, size_t(bytes), resident.data()) == 0;
  munmap(mapped, size_t(bytes));
  if (!known) return 1;
  const auto count = std::count_if(resident.begin(), resident.end(), [](unsigned char r) { return (r & 1) != 0; });
  return double(count) / double(resident.size());
}

void read_blocks(int fd, int64_t bytes, const DiskEffort& effort, DiskSpeed& speed) {
  std::vector<char> block(kReadBlock);
  posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  const auto start = Clock::now();
  int64_t done = 0;
  while (done < bytes && seconds_since(start) < effort.longest.value) {
    const ssize_t got = pread(fd, block.data(), kReadBlock, done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      speed.note = fmt::format("the disk could not be read: {}", std::strerror(got == 0 ? EIO : errno));
      return;
    }
    done += got;
  }
  speed.read = BytesPerSecond{double(done) / std::max(seconds_since(start), 1e-9)};
}

}  // namespace

Result<DiskSpeed> measure_disk(const std::string& folder, const DiskEffort& effort) {
  PLIM_ASSIGN(const FileHandle file, nameless_file(folder, "choose another place with " + named("out") + " FILE"));
  DiskSpeed speed;
  const int64_t room = room_for(file.fd(), effort.most);
  if (room == 0) {
    speed.note = "the disk was not measured: it is almost full";
    return speed;
  }
  const int64_t bytes = write_blocks(file.fd(), room, effort, speed);
  if (bytes == 0) return speed;
  if (cached_share(file.fd(), bytes) > kCachedShare) {
    speed.write.reset();
    speed.note = "the disk was not measured: its files stay in memory, so a rate would be that of memory";
    return speed;
  }
  read_blocks(file.fd(), bytes, effort, speed);
  return speed;
}

}  // namespace plimsoll
