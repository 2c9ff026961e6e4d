#include "run/dist/neighbour_mean.h"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include "run/dist/squares.h"

namespace plimsoll {
namespace {

// Numbers that are added up at a time: two such pieces stay in a core's own cache.
constexpr size_t kCachedNumbers = size_t{32} << 10;
// What is added up before it is passed on is still in the shared cache then. Each piece costs a wait for the others,
// which may be a time slice where computing has the core.
constexpr size_t kPassedOn = size_t{4} << 20;
constexpr size_t kLineNumbers = 16;  // numbers: parts begin where a cache line does

template <class Item>
std::string packed(const std::vector<Item>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

template <class Item>
std::vector<Item> unpacked(const std::string& bytes) {
  std::vector<Item> items(bytes.size() / sizeof(Item));
  std::memcpy(items.data(), bytes.data(), items.size() * sizeof(Item));
  return items;
}

// False: it cannot be read, or not any more.
bool read_memory(pid_t process, uint64_t address, void* to, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    iovec here{static_cast<char*>(to) + done, bytes - done};
    iovec there{reinterpret_cast<void*>(address + done), bytes - done};  // NOLINT: an address of another process
    const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
    if (got <= 0) return false;
    done += size_t(got);
  }
  return true;
}

struct Sign {
  pid_t process;
  uint64_t address, word;
};

}  // namespace

// Each shows the others a word at random: what they find there says whether a process of that number is the one.
bool are_neighbours(Communicator& all) {
  const bool one_host = [&] {
    const auto hosts = all.gather(all.host());
    return std::all_of(hosts.begin(), hosts.end(), [&](const std::string& host) { return host == hosts[0]; });
  }();
  if (!one_host) return false;
#ifdef PR_SET_PTRACER
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // else some systems only let a parent read
#endif
  std::random_device random;
  const uint64_t word = uint64_t{random()} << 32 | random();
  const Sign mine{getpid(), reinterpret_cast<uint64_t>(&word), word};
  bool all_read = true;
  for (const auto& other : all.gather(packed(std::vector{mine}))) {
    const Sign sign = unpacked<Sign>(other).at(0);
    uint64_t found = 0;
    all_read = all_read && read_memory(sign.process, sign.address, &found, sizeof found) && found == sign.word;
  }
  const auto answers = all.gather(all_read ? "yes" : "no");  // and nobody leaves before all have read
  return std::all_of(answers.begin(), answers.end(), [](const std::string& answer) { return answer == "yes"; });
}

NeighbourMean::NeighbourMean(Communicator& all, const std::vector<std::span<float>>& places)
    : all_(all), places_(places), sum_(kCachedNumbers), read_(kCachedNumbers) {
  for (const auto& process : all.gather(packed(std::vector{getpid()})))
    processes_.push_back(unpacked<pid_t>(process).at(0));
  std::vector<uint64_t> mine;
  for (const auto& place : places) mine.push_back(reinterpret_cast<uint64_t>(place.data()));
  for (const auto& theirs : all.gather(packed(mine))) addresses_.push_back(unpacked<uint64_t>(theirs));
}

Bytes NeighbourMean::memory() { return Bytes(int64_t(2 * kCachedNumbers * sizeof(float))); }

// The part of [begin, end) that a worker adds up.
std::pair<size_t, size_t> NeighbourMean::part(int rank, size_t begin, size_t end) const {
  const size_t workers = size_t(all_.size());
  const size_t each = ((end - begin) / workers + kLineNumbers - 1) / kLineNumbers * kLineNumbers;
  const size_t from = std::min(end, begin + size_t(rank) * each);
  return {from, rank + 1 == all_.size() ? end : std::min(end, from + each)};
}

void NeighbourMean::read(int from, size_t place, size_t at, std::span<float> to) {
  const uint64_t address = addresses_[size_t(from)][place] + at * sizeof(float);
  if (read_memory(processes_[size_t(from)], address, to.data(), to.size_bytes())) return;
  // It is gone. Whoever watches over the workers says so and ends us all; if nobody does, we do.
  std::this_thread::sleep_for(std::chrono::seconds(10));
  constexpr int kFailed = 4;
  all_.abort(kFailed);
}

void NeighbourMean::add_up(size_t place, size_t begin, size_t end, std::span<double> squares) {
  const float share = 1.0F / float(all_.size());
  for (size_t at = begin; at < end; at += kCachedNumbers) {
    const auto own = places_[place].subspan(at, std::min(kCachedNumbers, end - at));
    const auto sum = std::span(sum_).first(own.size()), other = std::span(read_).first(own.size());
    std::fill(sum.begin(), sum.end(), -0.0F);  // to which a number can be added without a change of any bit
    for (int rank = 0; rank < all_.size(); ++rank) {
      if (rank != all_.rank()) read(rank, place, at, other);
      squares[size_t(rank)] += add_to_sum(sum, rank == all_.rank() ? own : other);
    }
    squares[size_t(all_.size())] += scale_to_square(sum, share);
    std::copy(sum.begin(), sum.end(), own.begin());
  }
}

void NeighbourMean::take(size_t place, std::span<double> squares) {
  const auto numbers = places_[place];
  all_.barrier();  // all hold theirs
  for (size_t begin = 0; begin < numbers.size(); begin += kPassedOn) {
    const size_t end = std::min(numbers.size(), begin + kPassedOn);
    const auto mine = part(all_.rank(), begin, end);
    add_up(place, mine.first, mine.second, squares);
    all_.barrier();  // all parts of this piece are added up
    for (int rank = 0; rank < all_.size(); ++rank) {
      if (rank == all_.rank()) continue;
      const auto theirs = part(rank, begin, end);
      read(rank, place, theirs.first, numbers.subspan(theirs.first, theirs.second - theirs.first));
    }
  }
}

}  // namespace plimsoll
