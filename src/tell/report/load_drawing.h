// The load as the page draws it: a hull in the water that is filled part by part, with the load line and the memory's
// end where they are, and the range of the peak as a whisker beneath.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "plan/ask/serving_fit_request.h"
#include "plan/ask/token_fit_request.h"

namespace plimsoll {

struct LoadPart {
  std::string name;
  Bytes bytes;
};

struct LoadDrawing {
  std::vector<LoadPart> parts;  // of the peak
  PeakRange peak;               // where there is room
  Bytes needed;                 // to run at all; decides what fits
  Bytes line, memory;
  double load_line = 0;
  bool fits = true, lower_bound = false;
  std::string breaking;  // what crosses the line; empty where nothing does
};

LoadDrawing load_of(const FitOutcome& outcome);
LoadDrawing load_of(const TokenFitOutcome& outcome);
LoadDrawing load_of(const ServingFitOutcome& outcome);

// The parts, and as the last of them what a framework takes only where there is room: "spare".
std::vector<LoadPart> with_spare(std::vector<LoadPart> parts, Bytes peak, Bytes needed);

// `width` in pixels: one for a desk and one for a phone, where the first would be too small to read.
inline constexpr double kWideLoad = 900, kNarrowLoad = 330;
// For who sees it first. `when` it is so full: "at the fullest moment of a step".
std::string about_load(double load_line, std::string_view when);
std::string load_svg(const LoadDrawing& load, double width = kWideLoad);

}  // namespace plimsoll
