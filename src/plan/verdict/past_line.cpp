#include "plan/verdict/past_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

Bytes excess(Bytes needed, Bytes limit) { return needed > limit ? needed - limit : Bytes(0); }

std::string inside_memory(const PastLine& past, Bytes left, bool gpu, bool cpu, BytesText told) {
  std::string text =
      fmt::format("It is {} past the line but still inside the memory: {} are left", told(past.over_line), told(left));
  if (gpu && !cpu) return text + " for the driver and the gaps between tensors, and an allocation may fail.";
  if (cpu && !gpu) return text + " for the system and other programs; what they need beyond that is paged.";
  return text + " for everything else.";
}

std::string paging(const PastLine& past, const Disk& disk, BytesText told) {
  return fmt::format("at least {} go to the disk and come back in each step, {} at {} ({})", told(past.over_memory),
                     human_time(past.paging_per_step), human_rate(disk.rate()), disk.title);
}

}  // namespace

PastLine past_line(Bytes needed, Bytes memory, double load_line, std::optional<DeviceKind> kind, const Disk& disk,
                   BytesText told) {
  PastLine past;
  past.over_line = excess(needed, bytes_under_line(memory, load_line));
  past.over_memory = excess(needed, memory);
  const bool gpu = !kind || *kind == DeviceKind::gpu, cpu = !kind || *kind != DeviceKind::gpu;
  if (cpu) {
    past.paged_per_step = past.over_memory * 2;
    past.paging_per_step = {double(past.paged_per_step.value()) / disk.rate().per_second};
  }
  if (past.over_line == Bytes(0)) return past;
  if (past.over_memory == Bytes(0)) {
    past.sentence = inside_memory(past, memory - needed, gpu, cpu, told);
    return past;
  }
  const std::string missing = fmt::format("{} do not fit in the memory", told(past.over_memory));
  if (!cpu) past.sentence = fmt::format("Out of memory: {}, and the step stops with an error.", missing);
  else if (!gpu) past.sentence = fmt::format("It pages: {}, so {}.", missing, paging(past, disk, told));
  else
    past.sentence = fmt::format("{}: a GPU stops, out of memory; a CPU pages: {}.", missing, paging(past, disk, told));
  return past;
}

}  // namespace plimsoll
