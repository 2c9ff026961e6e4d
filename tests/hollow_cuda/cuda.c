// The driver, hollow: one GPU, or as many as the environment says. It does not start in a process that was forked from
// one where it has.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cuInit(unsigned flags) {
  static pid_t process;
  if (!process) process = getpid();
  if (process != getpid()) return 3;
  const char* fails = getenv("HOLLOW_START");
  return fails ? atoi(fails) : 0;
}
int cuDeviceGetCount(int* gpus) {
  const char* there = getenv("HOLLOW_GPUS");
  return *gpus = there ? atoi(there) : 1, 0;
}
int cuDeviceGet(int* gpu, int index) { return *gpu = index, 0; }
int cuDeviceTotalMem_v2(size_t* bytes, int gpu) {
  const char* asked = getenv("HOLLOW_MEMORY");
  return *bytes = asked ? strtoull(asked, NULL, 10) : (size_t)80 << 30, 0;
}
int cuDeviceGetName(char* name, int size, int gpu) { return strncpy(name, "Hollow", size), 0; }
int cuDeviceGetUuid(void* id, int gpu) { return memset(id, 0, 16), 0; }
int cuDevicePrimaryCtxGetState(int gpu, unsigned* flags, int* active) {
  if (flags) *flags = 0;
  if (active) *active = 1;
  return 0;
}
int cuGetErrorString(int error, const char** text) { return *text = error == 803 ? "driver mismatch" : "hollow", 0; }
int cuGetErrorName(int error, const char** text) { return *text = "hollow", 0; }
int cuDeviceGetAttribute(int* value, int attribute, int gpu) { return *value = 1, 0; }
int cuDevicePrimaryCtxRetain(void** context, int gpu) { return *context = (void*)16, 0; }
int cuCtxGetCurrent(void** context) { return *context = (void*)16, 0; }
int cuFuncSetCacheConfig(void) { return 0; }
int cuLaunchCooperativeKernel(void) { return 0; }
int cuLinkAddData_v2(void) { return 0; }
int cuMemGetAddressRange_v2(void) { return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(void) { return 0; }
int cuStreamGetCtx(void) { return 0; }
int cuTensorMapEncodeTiled(void) { return 0; }
