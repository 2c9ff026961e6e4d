// NCCL, hollow: one worker's means are its own; calls are counted, with the streams that they go to.
#include <stddef.h>
#include <string.h>

static long reduced, groups, on_own_stream;
long hollow_reduced(void) { return reduced; }
long hollow_groups(void) { return groups; }
long hollow_reduced_on_own_stream(void) { return on_own_stream; }

struct Id {
  char bytes[128];
};
int ncclGetVersion(int* version) { return *version = 22809, 0; }
const char* ncclGetErrorString(int code) { return "hollow"; }
int ncclGetUniqueId(struct Id* id) { return memset(id, 1, sizeof *id), 0; }
int ncclCommInitRank(void** made, int workers, struct Id id, int rank) { return *made = &groups, 0; }
int ncclGroupStart(void) { return 0; }
int ncclGroupEnd(void) { return ++groups, 0; }
int ncclAllReduce(const void* from, void* to, size_t count, int type, int how, void* group, void* stream) {
  ++reduced;
  on_own_stream += stream != NULL;
  return from == to && type == 7 && how == 4 && group == &groups ? 0 : 4;
}
