// The drawing of a dataset: for each class its count as a bar, and some of its pictures.
#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/data_report.h"
#include "tell/report/html.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

constexpr int kNameWidth = 150, kBarWidth = 160, kMargin = 16, kGap = 6, kRow = 26;

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
      "<text class='plot-title' x='{}' y='28'>{}</text>\n<text x='{}' y='48'>{} samples, {} "
      "classes, {}</text>\n",
      kMargin, html_escaped(printable(last_name(summary.name), 200)), kMargin, with_commas(train.samples),
      summary.info.type.classes, summary.info.type.input.shape.text());
  for (size_t i = 0; i < rows; ++i) {
    const int64_t y = top + int64_t(i) * row, middle = y + row / 2;
    const double bar = double(train.counts[i]) / double(most) * (kBarWidth - 60);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"14\" "
        "class=\"plot-mark plot-0\"/>\n<text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
        left - 8, middle + 4, html_escaped(shortened(printable(summary.info.class_names[i], 200))), left, middle - 7,
        bar, double(left) + bar + 5, middle + 4, with_commas(train.counts[i]));
    if (i < summary.strips.size())
      svg += fmt::format(
          "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"image-rendering:pixelated\" "
          "href=\"data:image/png;base64,{}\"/>\n",
          pictures, y, summary.strips[i].width * zoom, summary.strips[i].height * zoom, base64(summary.strips[i].png));
  }
  return svg_picture(double(width), double(height), "Classes with their counts and some pictures", svg);
}

std::string data_html(const DataSummary& summary) {
  const std::string name = printable(last_name(summary.name), 200);  // no reader has our folders
  HtmlPage page(name);
  page.lead({.verdict = fmt::format("{} samples to train on, {} classes.", with_commas(summary.parts[0].samples),
                                    with_commas(summary.info.type.classes)),
             .assumed = {{"A sample", summary.info.type.input.shape.text()},
                         {"In files", human_bytes(files_size(summary.info))}},
             .command = "plimsoll data " + shell_word(name)});
  page.wide_picture(data_svg(summary));
  HtmlTable table{{"Class"}, {}, true};
  for (const auto& part : summary.parts) table.columns.push_back(part.part);
  for (size_t i = 0; i < summary.info.class_names.size(); ++i) {
    std::vector<HtmlCell> row{printable(summary.info.class_names[i], 200)};
    for (const auto& part : summary.parts) row.emplace_back(with_commas(part.counts[i]), double(part.counts[i]));
    table.rows.push_back(std::move(row));
  }
  page.heading("Samples of each class");
  page.table(table);
  return page.text();
}

}  // namespace plimsoll
