// The drawing of a dataset: for each class its count as a bar, and some of its pictures.
#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"
#include "tell/report/data_report.h"

namespace plimsoll {
namespace {

constexpr int kNameWidth = 150, kBarWidth = 160, kMargin = 16, kGap = 6, kRow = 26;

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text, 200)) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else safe += c;
  }
  return safe;
}

std::string shortened(const std::string& name) { return name.size() <= 20 ? name : name.substr(0, 18) + "…"; }

}  // namespace

std::string data_svg(const DataSummary& summary) {
  const auto& train = summary.parts[0];
  const size_t rows = std::min<size_t>(summary.info.class_names.size(), size_t{kMostStrips});
  const int64_t most = std::max<int64_t>(1, *std::max_element(train.counts.begin(), train.counts.end()));
  // Small pictures are drawn at twice their size, or nobody could see them.
  const int64_t strip_height = summary.strips.empty() ? 0 : summary.strips[0].height;
  const int64_t zoom = strip_height > 0 && strip_height <= 48 ? 2 : 1;
  const int64_t strip_width = summary.strips.empty() ? 0 : summary.strips[0].width * zoom;
  const int64_t row = std::max<int64_t>(kRow, strip_height * zoom + kGap);
  const int64_t left = kMargin + kNameWidth, pictures = left + kBarWidth + kMargin;
  const int64_t width = pictures + strip_width + kMargin, top = 60, height = top + int64_t(rows) * row + kMargin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"28\" font-size=\"18\">{3}</text>\n<text x=\"{2}\" y=\"48\" fill=\"#666\">{4} samples, {5} "
      "classes, {6}</text>\n",
      width, height, kMargin, escaped(summary.name), with_commas(train.samples), summary.info.type.classes,
      summary.info.type.input.shape.text());
  for (size_t i = 0; i < rows; ++i) {
    const int64_t y = top + int64_t(i) * row, middle = y + row / 2;
    const double bar = double(train.counts[i]) / double(most) * (kBarWidth - 60);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"14\" "
        "fill=\"#4477aa\"/>\n<text x=\"{:.1f}\" y=\"{}\" fill=\"#666\">{}</text>\n",
        left - 8, middle + 4, escaped(shortened(printable(summary.info.class_names[i], 200))), left, middle - 7, bar,
        double(left) + bar + 5, middle + 4, with_commas(train.counts[i]));
    if (i < summary.strips.size())
      svg += fmt::format(
          "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"image-rendering:pixelated\" "
          "href=\"data:image/png;base64,{}\"/>\n",
          pictures, y, summary.strips[i].width * zoom, summary.strips[i].height * zoom, base64(summary.strips[i].png));
  }
  return svg + "</svg>\n";
}

std::string data_html(const DataSummary& summary) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n</head>\n"
      "<body style=\"font-family:sans-serif;margin:2em\">\n{1}<pre>{2}</pre>\n</body>\n</html>\n",
      escaped(summary.name), data_svg(summary), [&] {
        std::string text;
        for (const char c : data_text(summary)) text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
        return text;
      }());
}

}  // namespace plimsoll
