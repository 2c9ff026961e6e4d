#include "run/exec/torch/gpu_runtime.h"

#include <fmt/format.h>

#include "run/exec/torch/torch_library.h"
#include "run/exec/torch/torch_threads.h"

namespace plimsoll {
namespace {

constexpr unsigned kWaitsForNone = 1;  // cudaStreamNonBlocking
constexpr int kHostToDevice = 1, kDeviceToDevice = 3;

}  // namespace

bool GpuRuntime::load() {
  const TorchLibrary& torch = opened_torch();
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(torch.gpu_function(name));
    return function != nullptr;
  };
  return find("cudaStreamCreateWithFlags", stream_create) && find("cudaStreamSynchronize", stream_finish) &&
         find("cudaStreamDestroy", stream_destroy) && find("cudaEventCreate", event_create) &&
         find("cudaEventDestroy", event_destroy) && find("cudaEventRecord", event_record) &&
         find("cudaEventSynchronize", event_wait) && find("cudaEventElapsedTime", event_elapsed) &&
         find("cudaStreamWaitEvent", stream_wait) && find("cudaHostAlloc", host_alloc) &&
         find("cudaFreeHost", host_free) && find("cudaMemcpyAsync", copy_async) &&
         find("cudaGetLastError", last_error) && find("cudaGetErrorString", error_text);
}

const GpuRuntime* GpuRuntime::find() {
  if (opened_torch().device().kind != RunDevice::Kind::cuda) return nullptr;
  static const GpuRuntime* const found = [] {
    static GpuRuntime runtime;
    return runtime.load() ? &runtime : nullptr;
  }();
  use_torch_gpu();
  return found;
}

// A GPU that fails here has failed for all that libtorch does, too.
void GpuRuntime::check(int code, const char* what) const {
  if (code != 0) PLIM_CHECK(false, fmt::format("{} on {}: {}", what, opened_torch().device().name(), error_text(code)));
}

GpuRuntime::Stream GpuRuntime::new_stream() const {
  void* stream = nullptr;
  check(stream_create(&stream, kWaitsForNone), "cudaStreamCreateWithFlags");
  return stream;
}

GpuRuntime::Event GpuRuntime::new_event() const {
  void* event = nullptr;
  check(event_create(&event), "cudaEventCreate");
  return event;
}

void GpuRuntime::end(Stream stream) const { stream_destroy(stream); }
void GpuRuntime::end_event(Event event) const { event_destroy(event); }
void GpuRuntime::record(Event event, Stream stream) const { check(event_record(event, stream), "cudaEventRecord"); }
void GpuRuntime::wait(Stream stream, Event event) const { check(stream_wait(stream, event, 0), "cudaStreamWaitEvent"); }
void GpuRuntime::wait_on_host(Event event) const { check(event_wait(event), "cudaEventSynchronize"); }

void GpuRuntime::finish(Stream stream) const { check(stream_finish(stream), "cudaStreamSynchronize"); }

double GpuRuntime::milliseconds(Event from, Event to) const {
  float took = 0;
  if (event_elapsed(&took, from, to) == 0) return double(took);
  last_error();
  return 0;
}

void* GpuRuntime::take_pinned(size_t bytes) const {
  void* data = nullptr;
  if (host_alloc(&data, bytes, 0) == 0) return data;
  last_error();  // it is dealt with: the next kernel's check is not to find it
  return nullptr;
}

void GpuRuntime::release_pinned(void* data) const { host_free(data); }

void GpuRuntime::copy_in(void* to, const void* from, size_t bytes, Stream stream) const {
  check(copy_async(to, from, bytes, kHostToDevice, stream), "cudaMemcpyAsync");
}

void GpuRuntime::copy_there(void* to, const void* from, size_t bytes, Stream stream) const {
  check(copy_async(to, from, bytes, kDeviceToDevice, stream), "cudaMemcpyAsync");
}

}  // namespace plimsoll
