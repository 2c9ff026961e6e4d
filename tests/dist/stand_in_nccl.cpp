// Stands in for NVIDIA's NCCL where there is no GPU: the same functions over MPI, on the host's memory, with a line for
// each call in the file that STAND_IN_NCCL_LOG names, one file a rank. PLIMSOLL_NCCL brings it into a run on torch:cpu.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kFloat32 = 7, kAverage = 4;

struct Group {
  MPI_Comm all = MPI_COMM_NULL;
  int size = 1;
  FILE* log = nullptr;
};

Group* group = nullptr;  // a process has one

int logged(const char* line) {
  if (group && group->log) std::fprintf(group->log, "%s\n", line);
  return 0;
}

}  // namespace

struct Id {
  char bytes[128];
};

extern "C" {

int ncclGetVersion(int* version) { return *version = 22809, 0; }
const char* ncclGetErrorString(int /*code*/) { return "the stand-in for NCCL failed"; }

int ncclGetUniqueId(Id* id) {
  for (char& byte : id->bytes) byte = 'n';
  return 0;
}

// The id tells whether it came over whole.
int ncclCommInitRank(void** made, int workers, Id id, int rank) {
  for (const char byte : id.bytes)
    if (byte != 'n') return 4;
  group = new Group();
  MPI_Comm_dup(MPI_COMM_WORLD, &group->all);
  MPI_Comm_size(group->all, &group->size);
  if (group->size != workers) return 4;
  if (const char* log = std::getenv("STAND_IN_NCCL_LOG"))
    group->log = std::fopen((std::string(log) + std::to_string(rank)).c_str(), "w");
  *made = group;
  return 0;
}

int ncclCommDestroy(void* /*made*/) {
  if (group->log) std::fclose(group->log);
  MPI_Comm_free(&group->all);
  delete group;
  group = nullptr;
  return 0;
}

int ncclGroupStart() { return logged("bucket"); }
int ncclGroupEnd() { return logged("end"); }

int ncclAllReduce(const void* from, void* to, size_t count, int type, int how, void* made, void* /*stream*/) {
  if (from != to || type != kFloat32 || how != kAverage || made != group) return 4;
  logged(std::to_string(count).c_str());
  auto* numbers = static_cast<float*>(to);
  if (MPI_Allreduce(MPI_IN_PLACE, numbers, int(count), MPI_FLOAT, MPI_SUM, group->all) != MPI_SUCCESS) return 4;
  const float share = 1.0F / float(group->size);
  for (size_t i = 0; i < count; ++i) numbers[i] *= share;
  return 0;
}

}  // extern "C"
