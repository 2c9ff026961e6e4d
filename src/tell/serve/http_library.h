// HttpLibrary: the functions of libmicrohttpd. It is loaded when a page is first served and not when the program
// starts: with it come gnutls and eight libraries more, which took a third of the time in which every other verb
// begins.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>
#include <http_library_name.h>  // kHttpLibrary: the file that a linker would ask for; kHttpPackage: what brings it
#include <microhttpd.h>

#include <string>
#include <type_traits>

#include "base/result.h"
#include "base/text.h"

namespace plimsoll {

class HttpLibrary {
 public:
  decltype(&MHD_start_daemon) start_daemon = nullptr;
  decltype(&MHD_stop_daemon) stop_daemon = nullptr;
  decltype(&MHD_create_response_from_callback) create_response_from_callback = nullptr;
  decltype(&MHD_create_response_from_buffer) create_response_from_buffer = nullptr;
  decltype(&MHD_add_response_header) add_response_header = nullptr;
  decltype(&MHD_queue_response) queue_response = nullptr;
  decltype(&MHD_destroy_response) destroy_response = nullptr;
  decltype(&MHD_get_connection_info) get_connection_info = nullptr;
  decltype(&MHD_get_connection_values) get_connection_values = nullptr;

  // Loaded the first time, by whichever thread is first, and kept.
  static const Result<HttpLibrary>& open() {
    static const Result<HttpLibrary> library = load();
    return library;
  }

 private:
  static Result<HttpLibrary> load() {
    void* const file = dlopen(kHttpLibrary, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
      const char* why = dlerror();
      return environment_error(
          fmt::format("the page needs libmicrohttpd ({})", printable(why ? why : kHttpLibrary, 200)),
          fmt::format("it is in the package {} of Debian", kHttpPackage));
    }
    HttpLibrary library;
    std::string missing;
    const auto find = [&](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(file, name));
      if (!function && missing.empty()) missing = name;
    };
    find("MHD_start_daemon", library.start_daemon);
    find("MHD_stop_daemon", library.stop_daemon);
    find("MHD_create_response_from_callback", library.create_response_from_callback);
    find("MHD_create_response_from_buffer", library.create_response_from_buffer);
    find("MHD_add_response_header", library.add_response_header);
    find("MHD_queue_response", library.queue_response);
    find("MHD_destroy_response", library.destroy_response);
    find("MHD_get_connection_info", library.get_connection_info);
    find("MHD_get_connection_values", library.get_connection_values);
    if (!missing.empty()) return environment_error(fmt::format("{} has no function {}", kHttpLibrary, missing));
    return library;
  }
};

}  // namespace plimsoll
