#include "run/dist/communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace plimsoll {
namespace {

constexpr char kWell = 'w', kUser = 'u', kEnvironment = 'e';

std::string packed(const Status& status) {
  if (status.ok()) return std::string(1, kWell);
  return (status.error().kind == ErrorKind::environment ? kEnvironment : kUser) + status.error().line();
}

}  // namespace

bool Communicator::as_first_says(bool mine) {
  if (alone()) return mine;
  std::byte said{mine};
  broadcast({&said, 1});
  return said != std::byte{0};
}

std::string Communicator::as_first_says(std::string mine) {
  if (alone()) return mine;
  uint64_t size = mine.size();
  broadcast(std::as_writable_bytes(std::span(&size, 1)));
  mine.resize(size);
  broadcast(std::as_writable_bytes(std::span(mine)));
  return mine;
}

Status Communicator::together(const Status& mine) {
  if (alone()) return mine;
  const auto all = gather(fmt::format("{}\n{}", host(), packed(mine)));
  std::vector<std::string> hosts, words;
  for (const auto& one : all) {
    hosts.push_back(one.substr(0, one.find('\n')));
    words.push_back(one.substr(one.find('\n') + 1));
  }
  const bool everywhere = std::all_of(words.begin(), words.end(), [&](const auto& word) { return word == words[0]; });
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i][0] == kWell) continue;
    Error error = words[i][0] == kEnvironment ? environment_error(words[i].substr(1)) : user_error(words[i].substr(1));
    return everywhere ? std::move(error) : std::move(error).in(fmt::format("rank {} on {}", i, hosts[i]));
  }
  return {};
}

// A batch script of Slurm has SLURM_PROCID as well, so only what mpirun and srun give to each of several is asked.
bool started_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

}  // namespace plimsoll
