#include <cstdint>

#include "tell/serve/route.h"

namespace plimsoll {

std::span<const Route> all_routes() {
  constexpr std::string_view kJson = "application/json", kBytes = "application/octet-stream";
  constexpr int64_t kQuestion = 16 << 10, kNetwork = int64_t{600} << 20;  // VGG-19 with its weights is 548 MiB
  static constexpr Route kRoutes[] = {
      {"GET", "/", RouteKind::file, "", 0, "index.html"},
      {"GET", "/app.js", RouteKind::file, "", 0, "app.js"},
      {"GET", "/theme.js", RouteKind::file, "", 0, "theme.js"},
      {"GET", "/app.css", RouteKind::file, "", 0, "app.css"},
      {"GET", "/icon.svg", RouteKind::file, "", 0, "icon.svg"},
      {"POST", "/api/session", RouteKind::session, kJson, kQuestion, ""},
      {"GET", "/api/choices", RouteKind::choices, "", 0, "choices"},
      {"POST", "/api/weigh", RouteKind::verb, kJson, kQuestion, "weigh"},
      {"POST", "/api/fit", RouteKind::verb, kJson, kQuestion, "fit"},
      {"POST", "/api/place", RouteKind::verb, kJson, kQuestion, "place"},
      {"POST", "/api/scale", RouteKind::verb, kJson, kQuestion, "scale"},
      {"POST", "/api/step", RouteKind::verb, kJson, kQuestion, "step"},
      {"POST", "/api/report", RouteKind::verb, kJson, kQuestion, "report"},
      {"POST", "/api/plan", RouteKind::plan, kJson, kQuestion, ""},
      {"POST", "/api/upload", RouteKind::upload, kBytes, kNetwork, ""},
      {"GET", "/api/runs", RouteKind::runs, "", 0, ""},
      {"GET", "/api/runs/feed", RouteKind::run_feed, "", 0, ""},
      {"POST", "/api/runs/start", RouteKind::run_start, kJson, kQuestion, ""},
      {"POST", "/api/runs/resume", RouteKind::run_resume, kJson, kQuestion, ""},
      {"POST", "/api/runs/stop", RouteKind::run_stop, kJson, kQuestion, ""},
      {"POST", "/api/runs/report", RouteKind::run_report, kJson, kQuestion, ""},
  };
  return kRoutes;
}

}  // namespace plimsoll
