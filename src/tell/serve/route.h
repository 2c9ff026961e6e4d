// The routes of the page's server: one table. What each takes and who may ask is here, so that a test can try every
// hostile request on every route.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

enum class RouteKind {
  file,        // a part of the page: the same in every copy of the program, so nobody needs the cookie
  session,     // trades the token for the cookie
  verb,        // a question in JSON, answered as the command line does
  plan,        // several of them about one network, answered beside each other
  choices,     // what can be asked: networks, devices, formats
  upload,      // an .onnx file
  runs,        // trainings in the runs folder
  run_feed,    // … as they go on
  run_start,   // begins a training, where the server may
  run_resume,  // goes on with one
  run_stop,    // asks a training to save and stop
  run_report,  // the report of one that has ended
};

struct Route {
  std::string_view method, path;
  RouteKind kind;
  std::string_view takes;    // content type of the body; "" when there is none
  int64_t longest_body = 0;  // bytes
  std::string_view name;     // of the file or the verb

  bool needs_cookie() const { return kind != RouteKind::file && kind != RouteKind::session; }
};

std::span<const Route> all_routes();

}  // namespace plimsoll
