// Nccl: NVIDIA's library for sums over GPUs, opened where it lies beside the user's libtorch. Nothing of it is linked.
//
// PLIMSOLL_NCCL in the environment names another library file with the same functions. Only then it is used on
// torch:cpu, whose memory NVIDIA's cannot reach: a stand-in for tests.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "run/exec/device_sum.h"
#include "run/exec/run_device.h"

namespace plimsoll {

class Nccl {
 public:
  // Once a process; an Error says why sums go through the host.
  static Result<const Nccl*> open(const RunDevice& device);

  Result<DeviceSum::Id> new_id() const;

  struct Numbers {
    void* data;  // f32 on the device
    size_t count;
  };
  // One worker's part in a group. All calls of one thread.
  class Group {
   public:
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    // Their means, in place, as one call; on that stream of the GPU.
    void mean(std::span<const Numbers> all, void* stream) const;

   private:
    friend class Nccl;
    Group(const Nccl& nccl, void* made) : nccl_(nccl), made_(made) {}
    const Nccl& nccl_;
    void* made_;
  };
  Result<std::unique_ptr<Group>> join(const DeviceSum::Id& id, int rank, int workers) const;

  std::string version() const;  // "2.28.9"

 private:
  Nccl() = default;
  Status load(const std::string& file);
  void check(int code, const char* what) const;

  struct IdBytes {
    std::byte bytes[128];
  };
  int (*get_version)(int*) = nullptr;
  int (*get_id)(IdBytes*) = nullptr;
  int (*init_rank)(void** made, int workers, IdBytes id, int rank) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*all_reduce)(const void* from, void* to, size_t count, int type, int how, void* group, void* stream) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  const char* (*error_text)(int) = nullptr;
};

}  // namespace plimsoll
