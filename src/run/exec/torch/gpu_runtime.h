// GpuRuntime: the few functions of the CUDA runtime that are called beside libtorch: streams, events, and copies from
// memory that is pinned. They come from the runtime that libtorch itself has loaded.
#pragma once

#include <cstddef>

#include "base/result.h"

namespace plimsoll {

class GpuRuntime {
 public:
  using Stream = void*;  // nullptr: the one that libtorch computes on
  using Event = void*;

  // For the calling thread. nullptr: no GPU is in use, or a function is missing.
  static const GpuRuntime* find();

  Stream new_stream() const;  // that waits for no other
  Event new_event() const;
  void end(Stream stream) const;
  void end_event(Event event) const;
  void record(Event event, Stream stream) const;
  void wait(Stream stream, Event event) const;  // what is launched there from here on comes after the event
  void wait_on_host(Event event) const;
  void finish(Stream stream) const;  // on the host, until all that was launched there is done
  double milliseconds(Event from, Event to) const;

  void* take_pinned(size_t bytes) const;  // nullptr: refused
  void release_pinned(void* data) const;
  void copy_in(void* to, const void* from, size_t bytes, Stream stream) const;  // from pinned memory, in the background
  void copy_there(void* to, const void* from, size_t bytes, Stream stream) const;  // on the device

 private:
  GpuRuntime() = default;
  bool load();
  void check(int code, const char* what) const;

  int (*stream_create)(void**, unsigned flags) = nullptr;
  int (*stream_destroy)(void*) = nullptr;
  int (*stream_finish)(void*) = nullptr;
  int (*event_create)(void**) = nullptr;
  int (*event_destroy)(void*) = nullptr;
  int (*event_record)(void*, void* stream) = nullptr;
  int (*event_wait)(void*) = nullptr;
  int (*event_elapsed)(float*, void*, void*) = nullptr;
  int (*stream_wait)(void* stream, void* event, unsigned flags) = nullptr;
  int (*host_alloc)(void**, size_t, unsigned flags) = nullptr;
  int (*host_free)(void*) = nullptr;
  int (*copy_async)(void*, const void*, size_t, int kind, void* stream) = nullptr;
  int (*last_error)() = nullptr;
  const char* (*error_text)(int) = nullptr;
};

}  // namespace plimsoll
