#include "tell/report/predict_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {

std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return probabilities[a] > probabilities[b]; });
  std::vector<Guess> guesses;
  for (size_t i = 0; i < std::min(most, order.size()); ++i) {
    const size_t index = order[i];
    guesses.push_back(
        {int64_t(index), index < names.size() ? names[index] : std::to_string(index), probabilities[index]});
  }
  return guesses;
}

std::string predict_text(const PredictView& view) {
  Table table({{"Picture", Table::Align::left}, {"Class", Table::Align::left}, {"Probability"}});
  for (const auto& picture : view.pictures)
    for (size_t i = 0; i < picture.classes.size(); ++i)
      table.add({i == 0 ? printable(picture.file, 200) : "", printable(picture.classes[i].name, 80),
                 fmt::format("{:.1f} %", 100 * picture.classes[i].probability)});
  return table.text();
}

Json predict_json(const PredictView& view) {
  Json pictures = Json::array();
  for (const auto& picture : view.pictures) {
    Json classes = Json::array();
    for (const auto& guess : picture.classes)
      classes.push_back({{"name", guess.name}, {"index", guess.index}, {"probability", guess.probability}});
    pictures.push_back({{"file", picture.file}, {"classes", std::move(classes)}});
  }
  return {{"schema", "plimsoll.predict/1"},
          {"checkpoint", view.checkpoint},
          {"step", view.step},
          {"images", std::move(pictures)}};
}

}  // namespace plimsoll
