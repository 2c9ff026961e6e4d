// The CUDA runtime, hollow: GPUs of 80 GiB. Their memory is address space that nobody may read or write, so a host
// access ends the program; copies to it are read and dropped, copies from it are zeros. Kernels are counted, not run.
// As with the real one, a process that was forked from one that has used a GPU has none, a failure is told again after
// the next kernel until somebody takes it, and what names no GPU is about the thread's own.
#define _GNU_SOURCE
#include <driver_types.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMostBlocks = 4096, kMostGpus = 16 };

// The environment may ask for less memory than 80 GiB, for kernels that are not built for this GPU, and so on.
static size_t asked(const char* name, size_t usual) {
  const char* text = getenv(name);
  return text ? strtoull(text, NULL, 10) : usual;
}
static size_t memory_of_gpu(void) { return asked("HOLLOW_MEMORY", (size_t)80 << 30); }
static _Thread_local int last_error, current;
static int with_error(int error) { return last_error = error; }
static struct {
  char* data;
  size_t bytes;
  int gpu;
} blocks[kMostBlocks];
static int used;
static size_t held[kMostGpus];
static size_t there, taken, pinned;

// Whatever needs the GPU itself begins here.
static int begin(void) {
  static pid_t process;
  if (!process) process = getpid();
  if (process != getpid()) return with_error(cudaErrorInitializationError);
  if (current == (int)asked("HOLLOW_ONLY", current)) return 0;
  fprintf(stderr, "GPU %d is used\n", current);
  abort();
}
static long launches, copied_in, copied_out, from_pinned;
static char *pinned_from, *pinned_to;  // the last block
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// What tests ask.
size_t hollow_bytes(void) { return there; }
size_t hollow_mallocs(void) { return taken; }
size_t hollow_pinned(void) { return pinned; }
long hollow_launches(void) { return launches; }
long hollow_copies_from_pinned(void) { return from_pinned; }
long hollow_copies_in(void) { return copied_in; }
long hollow_copies_out(void) { return copied_out; }

static int block_of(const void* data) {
  for (int i = 0; i < used; ++i)
    if ((char*)data >= blocks[i].data && (char*)data < blocks[i].data + blocks[i].bytes) return i;
  return -1;
}

int cudaMalloc(void** data, size_t bytes) {
  if (begin() != 0) return last_error;
  if (getenv("HOLLOW_MALLOC_ERROR")) return with_error((int)asked("HOLLOW_MALLOC_ERROR", 0));
  pthread_mutex_lock(&mutex);
  int failed = held[current] + bytes > memory_of_gpu() || used == kMostBlocks;
  if (!failed) {
    *data = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    failed = *data == MAP_FAILED;
  }
  if (!failed) {
    blocks[used].data = *data;
    blocks[used].gpu = current;
    blocks[used++].bytes = bytes;
    held[current] += bytes;
    there += bytes;
    ++taken;
  }
  pthread_mutex_unlock(&mutex);
  return failed ? with_error(cudaErrorMemoryAllocation) : 0;
}

int cudaFree(void* data) {
  pthread_mutex_lock(&mutex);
  const int i = block_of(data), whole = i >= 0 && blocks[i].data == data;
  if (whole) {
    there -= blocks[i].bytes;
    held[blocks[i].gpu] -= blocks[i].bytes;
    munmap(blocks[i].data, blocks[i].bytes);
    blocks[i] = blocks[--used];
  }
  pthread_mutex_unlock(&mutex);
  return whole || !data ? 0 : with_error(cudaErrorInvalidValue);
}

int cudaHostAlloc(void** data, size_t bytes, unsigned flags) {
  if (getenv("HOLLOW_NO_PINNED")) return with_error(cudaErrorMemoryAllocation);
  ++pinned;
  const int failed = posix_memalign(data, 4096, bytes);
  pinned_from = failed ? NULL : *data;
  pinned_to = pinned_from + bytes;
  return failed;
}
int cudaMallocHost(void** data, size_t bytes) { return cudaHostAlloc(data, bytes, 0); }
int cudaFreeHost(void* data) { return free(data), 0; }
int cudaMemGetInfo(size_t* unused, size_t* total) {
  if (begin() != 0) return last_error;
  return *total = memory_of_gpu(), *unused = *total - held[current], 0;
}

static int is_past_end(const char* data, size_t bytes) {
  const int i = block_of(data);
  return i >= 0 && data + bytes > blocks[i].data + blocks[i].bytes;
}
static int copy(void* to, const void* from, size_t bytes) {
  if (is_past_end(to, bytes) || is_past_end(from, bytes)) return with_error(cudaErrorInvalidValue);
  if (block_of(to) < 0) {
    ++copied_out;
    if (block_of(from) < 0) memmove(to, from, bytes);
    else memset(to, 0, bytes);
    return 0;
  }
  if (block_of(from) >= 0) return 0;
  ++copied_in;
  from_pinned += (char*)from >= pinned_from && (char*)from < pinned_to;
  volatile char last = bytes ? ((const char*)from)[bytes - 1] : 0;
  return (void)last, 0;
}
int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, void* stream) {
  return begin() != 0 ? last_error : copy(to, from, bytes);
}
int cudaMemcpy(void* to, const void* from, size_t bytes, int kind) { return copy(to, from, bytes); }
int cudaMemsetAsync(void* data, int value, size_t bytes, void* stream) { return 0; }
int cudaMemset(void* data, int value, size_t bytes) { return 0; }

int cudaGetDeviceCount(int* gpus) { return *gpus = (int)asked("HOLLOW_GPUS", 1), 0; }
int cudaGetDevice(int* gpu) { return *gpu = current, 0; }
int cudaSetDevice(int gpu) { return current = gpu, begin(); }
int cudaDriverGetVersion(int* version) { return *version = (int)asked("HOLLOW_DRIVER", 13020), 0; }
int cudaRuntimeGetVersion(int* version) { return *version = 13020, 0; }
int cudaGetDeviceProperties(struct cudaDeviceProp* gpu, int index) {
  memset(gpu, 0, sizeof *gpu);
  strcpy(gpu->name, "Hollow");
  gpu->totalGlobalMem = memory_of_gpu();
  gpu->sharedMemPerBlock = 49152;
  gpu->sharedMemPerBlockOptin = 166912;
  gpu->sharedMemPerMultiprocessor = 167936;
  gpu->regsPerBlock = gpu->regsPerMultiprocessor = 65536;
  gpu->warpSize = 32;
  gpu->maxThreadsPerBlock = gpu->maxThreadsDim[0] = gpu->maxThreadsDim[1] = 1024;
  gpu->maxThreadsDim[2] = 64;
  gpu->maxGridSize[0] = 2147483647;
  gpu->maxGridSize[1] = gpu->maxGridSize[2] = 65535;
  gpu->major = 8;
  gpu->multiProcessorCount = 108;
  gpu->maxThreadsPerMultiProcessor = 2048;
  gpu->maxBlocksPerMultiProcessor = 32;
  gpu->l2CacheSize = 40 << 20;
  gpu->memoryBusWidth = 5120;
  gpu->textureAlignment = 512;
  gpu->unifiedAddressing = 1;
  return 0;
}
int cudaDeviceGetAttribute(int* value, int attribute, int gpu) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return *value = 1024, 0;
    case cudaDevAttrWarpSize: return *value = 32, 0;
    case cudaDevAttrMultiProcessorCount: return *value = 108, 0;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return *value = 2048, 0;
    case cudaDevAttrComputeCapabilityMajor: return *value = 8, 0;
    case cudaDevAttrComputeCapabilityMinor: return *value = 0, 0;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return *value = 166912, 0;
    default: return *value = 1, 0;
  }
}
int cudaDeviceGetStreamPriorityRange(int* least, int* most) { return *least = 0, *most = -1, 0; }

// Streams and events know their GPU; the stream without a name is the one of the thread's.
static void* new_handle(void) {
  static uintptr_t last = 0x1000;
  begin();
  return (void*)((last += kMostGpus) + current);
}
static int gpu_of(void* handle) { return handle ? (int)((uintptr_t)handle % kMostGpus) : current; }
static long finished;
long hollow_finished(void) { return finished; }
int cudaStreamSynchronize(void* stream) { return finished += stream == NULL, 0; }
int cudaEventRecord(void* event, void* stream) {
  return gpu_of(event) == gpu_of(stream) ? 0 : with_error(cudaErrorInvalidResourceHandle);
}
int cudaStreamCreate(void** stream) { return *stream = new_handle(), 0; }
int cudaStreamCreateWithFlags(void** stream, unsigned flags) { return *stream = new_handle(), 0; }
int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) { return *stream = new_handle(), 0; }
int cudaEventCreate(void** event) { return *event = new_handle(), 0; }
int cudaEventCreateWithFlags(void** event, unsigned flags) { return *event = new_handle(), 0; }
int cudaEventElapsedTime(float* milliseconds, void* from, void* to) { return *milliseconds = 0.01f, 0; }
int cudaStreamIsCapturing(void* stream, int* is) { return *is = 0, 0; }
int cudaStreamGetCaptureInfo(void* stream, int* is) { return is ? *is = 0 : 0, 0; }
int cudaThreadExchangeStreamCaptureMode(int* mode) { return 0; }
int cudaPointerGetAttributes(struct cudaPointerAttributes* found, const void* data) {
  memset(found, 0, sizeof *found);
  pthread_mutex_lock(&mutex);
  const int i = block_of(data), on_gpu = i >= 0, gpu = on_gpu ? blocks[i].gpu : -2;
  pthread_mutex_unlock(&mutex);
  found->type = on_gpu ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  found->device = gpu;
  found->devicePointer = on_gpu ? (void*)data : NULL;
  return 0;
}

int cudaFuncGetAttributes(struct cudaFuncAttributes* of, const void* kernel) {
  memset(of, 0, sizeof *of);
  of->maxThreadsPerBlock = 1024;
  of->numRegs = 32;
  of->binaryVersion = of->ptxVersion = 80;
  return 0;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks_there, const void* kernel, int threads, size_t shared) {
  return *blocks_there = 2, 0;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks_there, const void* kernel, int threads,
                                                           size_t shared, unsigned flags) {
  return *blocks_there = 2, 0;
}
static int launch(void) {
  if (begin() != 0) return last_error;
  ++launches;
  return getenv("HOLLOW_NO_KERNELS") ? with_error(cudaErrorNoKernelImageForDevice) : 0;
}
int cudaLaunchKernel(const void* kernel) { return launch(); }
int __cudaLaunchKernel(const void* kernel) { return launch(); }
int cudaLaunchKernelExC(const void* settings) { return launch(); }
int cudaPeekAtLastError(void) { return last_error; }
int cudaGetLastError(void) {
  const int error = last_error;
  return last_error = 0, error;
}
int __cudaGetKernel(void** kernel, const void* function) { return *kernel = (void*)function, 0; }
unsigned __cudaPushCallConfiguration(void) { return 0; }
int __cudaPopCallConfiguration(unsigned* grid, unsigned* block, size_t* shared, void** stream) {
  for (int i = 0; i < 3; ++i) grid[i] = block[i] = 1;
  return *shared = 0, *stream = NULL, 0;
}
void** __cudaRegisterFatBinary(void* binary) {
  static void* handle;
  return &handle;
}
static int nothing(void) { return 0; }
int cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned version, unsigned long long flags,
                                     int* result) {
  *found = (void*)&nothing;
  if (result) *result = 0;
  return 0;
}
int cudaGetSymbolAddress(void** data, const void* symbol) {
  static char any[1 << 20];
  return *data = any, 0;
}
const char* cudaGetErrorString(int error) {
  if (error == cudaErrorNoKernelImageForDevice) return "no kernel image is available for execution on the device";
  if (error == cudaErrorDevicesUnavailable) return "CUDA-capable device(s) is/are busy or unavailable";
  return error == cudaErrorMemoryAllocation ? "out of memory" : "hollow";
}
const char* cudaGetErrorName(int error) { return "hollow"; }
