#include "tell/report/run_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kMib = 1.0 / (1 << 20);

// The numbers of one field against another, over all lines of an event.
PlotLine line_of(const std::vector<Json>& log, std::string_view event, const char* x, const char* y, std::string name,
                 bool marks = false, double scale = 1) {
  PlotLine line{std::move(name), {}, marks};
  for (const auto& entry : log) {
    const auto kind = entry.find("event"), at = entry.find(x), value = entry.find(y);
    if (kind == entry.end() || *kind != event || at == entry.end() || value == entry.end()) continue;
    if (at->is_number() && value->is_number()) line.points.push_back({at->get<double>(), value->get<double>() * scale});
  }
  return line;
}

// A resumed run counts its seconds anew: each stretch goes after the one before.
PlotLine over_time(const std::vector<Json>& log, const char* y, std::string name, double scale = 1) {
  PlotLine line = line_of(log, "utilisation", "at", y, std::move(name), false, scale);
  double offset = 0, before = 0;
  for (auto& point : line.points) {
    if (point.x + offset < before) offset = before;
    before = point.x += offset;
  }
  return line;
}

PlotLine planned_line(const PlotLine& measured, const LoggedRun& run, std::string name) {
  if (measured.points.empty() || run.planned.value() == 0) return {std::move(name), {}};
  const double height = double(run.planned.value()) * kMib;
  return {std::move(name), {{measured.points.front().x, height}, {measured.points.back().x, height}}};
}

// The share-th of all parameters' trust ratios, in order, at each step that has them.
PlotLine ratio_line(const std::vector<Json>& log, double share, std::string name) {
  PlotLine line{std::move(name), {}};
  for (const auto& entry : log) {
    const auto kind = entry.find("event"), step = entry.find("step"), ratios = entry.find("ratios");
    if (kind == entry.end() || *kind != "trust_ratios" || step == entry.end() || !step->is_number() ||
        ratios == entry.end() || !ratios->is_object() || ratios->empty())
      continue;
    std::vector<double> numbers;
    for (const auto& ratio : *ratios)
      if (ratio.is_number()) numbers.push_back(ratio.get<double>());
    if (numbers.empty()) continue;
    std::sort(numbers.begin(), numbers.end());
    line.points.push_back({step->get<double>(), numbers[size_t(share * double(numbers.size() - 1))]});
  }
  return line;
}

// "training" of a run alone, "small: training" of one among several.
std::string of_run(const std::vector<LoggedRun>& runs, const LoggedRun& run, const std::string& what) {
  return runs.size() == 1 ? what : what.empty() ? run.name : run.name + ": " + what;
}

// One colour a run; dashes for what is not the training itself.
PlotLine coloured(PlotLine line, size_t run, bool dashed = false) {
  constexpr size_t kRunColours = 6;
  line.colour = fmt::format("run-{}", run % kRunColours);
  line.dashed = dashed;
  return line;
}

// Of runs that do not learn from the same: samples.
std::string samples_of(const std::vector<LoggedRun>& runs) {
  std::string name = runs.empty() ? "samples" : runs.front().samples;
  for (const auto& run : runs)
    if (run.samples != name) name = "samples";
  return name;
}

constexpr double kFarApart = 20;

// A run that diverged would press all others against the axis.
bool far_apart(const Plot& plot) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& line : plot.lines)
    for (const auto& point : line.points)
      if (std::isfinite(point.y) && point.y > 0) {
        least = std::min(least, point.y);
        most = std::max(most, point.y);
      }
  return most > kFarApart * least;
}

}  // namespace

std::vector<Plot> epoch_plots(const std::vector<LoggedRun>& runs) {
  Plot loss{"Loss", "epoch", "loss", {}, false, true}, accuracy{"Accuracy", "epoch", "share correct", {}, false, true};
  Plot wavering{"Perplexity", "epoch", "tokens", {}, false, true};
  for (size_t r = 0; r < runs.size(); ++r) {
    const LoggedRun& run = runs[r];
    const auto name = [&](const std::string& what) { return of_run(runs, run, what); };
    const auto add = [&](Plot& plot, const char* field, const char* what) {
      const bool validation = std::string_view(what) == "validation";
      PlotLine line = coloured(line_of(run.log, "epoch", "epoch", field, name(what), true), r, validation);
      if (!line.points.empty()) plot.lines.push_back(std::move(line));  // no validation: no line in the legend either
    };
    add(loss, "train_loss", "training");
    add(loss, "val_loss", "validation");
    add(wavering, "train_perplexity", "training");
    add(wavering, "val_perplexity", "validation");
    add(accuracy, "train_accuracy", "training");
    add(accuracy, "val_accuracy", "validation");
  }
  if (runs.size() > 1 && far_apart(loss)) loss.y_scale = PlotScale::logarithmic;
  if (!wavering.lines.empty()) return {loss, wavering, accuracy};
  return {loss, accuracy};
}

std::vector<Plot> run_plots(const std::vector<LoggedRun>& runs) {
  Plot steps{"Loss of each step", "step", "loss"}, rate{"Learning rate", "step", "rate", {}, true};
  Plot speed{"Speed", "step", samples_of(runs) + "/s", {}, true},
      load{"Processor load", "seconds", "cores busy", {}, true};
  Plot noise{"Gradient noise scale", "step", "samples"};
  Plot trust{"Trust ratios of the parameters", "step", "ratio"};
  noise.y_scale = trust.y_scale = PlotScale::logarithmic;
  Plot memory{"Memory", "seconds", "MiB resident", {}, true};
  for (size_t r = 0; r < runs.size(); ++r) {
    const LoggedRun& run = runs[r];
    const auto& log = run.log;
    const auto name = [&](const std::string& what) { return of_run(runs, run, what); };
    steps.lines.push_back(coloured(line_of(log, "step", "step", "loss", name("")), r));
    rate.lines.push_back(coloured(line_of(log, "step", "step", "learning_rate", name("")), r));
    speed.lines.push_back(coloured(line_of(log, "step", "step", "images_per_second", name("")), r));
    noise.lines.push_back(coloured(line_of(log, "step", "step", "noise_scale", name("")), r));
    trust.lines.push_back(ratio_line(log, 0, name("least")));
    trust.lines.push_back(ratio_line(log, 0.5, name("median")));
    trust.lines.push_back(ratio_line(log, 1, name("largest")));
    load.lines.push_back(coloured(over_time(log, "cores", name("")), r));
    memory.lines.push_back(coloured(over_time(log, "resident_bytes", name("the whole process, measured"), kMib), r));
    memory.lines.push_back(coloured(planned_line(memory.lines.back(), run, name("planned tensors")), r, true));
  }
  std::vector<Plot> plots = epoch_plots(runs);
  plots.insert(plots.end(), {steps, rate, speed, noise, trust, load, memory});
  return plots;
}

}  // namespace plimsoll
