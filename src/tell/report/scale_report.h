// The answer of scale as text, tables and JSON.
#pragma once

#include <string>
#include <vector>

#include "plan/verdict/scale_forecast.h"
#include "tell/report/json.h"

namespace plimsoll {

struct ScaleView {
  std::string model;
  std::vector<std::string> notes;
  Uncounted uncounted;  // by which times and memory are lower bounds
};

std::string scale_text(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);
std::string scale_markdown(const ScaleForecast& forecast, const ScaleView& view);
std::string scale_csv(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);
Json link_json(const Link& link);
Json scale_json(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);

}  // namespace plimsoll
