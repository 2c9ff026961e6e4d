#include "tell/report/html.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

// The page's colours and words, so that a report looks like what it was saved from. On a phone a drawing is moved
// sideways rather than made too small to read, and long names are folded. On paper all of it is there.
constexpr const char* kStyle =
    ":root{color-scheme:light dark;--ink:#14212b;--soft:#4a5965;--rule:#d3dbe2;--ground:#eef2f5;--paper:#fff;"
    "--mark:#0b5f86;--good:#16683a;--bad:#b3261e}"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e8eef3;--soft:#aab7c2;--rule:#33414d;--ground:#0e151c;"
    "--paper:#17202a;--mark:#6cc0e8;--good:#72d39c;--bad:#ff8f86}}"
    "body{font:15px/1.5 system-ui,'DejaVu Sans',sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:1180px;margin:1.5em auto;padding:0 1em}"
    "h1{font-size:1.6em;overflow-wrap:anywhere}h2{margin-top:2em;border-bottom:1px solid var(--rule);"
    "overflow-wrap:anywhere}"
    ".lead{background:var(--ground);border-radius:10px;padding:.2em 1.2em 1em}"
    ".lead .answer{font-size:1.35em}.good{color:var(--good)}.bad{color:var(--bad)}"
    ".lead .plot-ground{fill:none}.load{margin:.6em 0}.load svg{max-width:100%;height:auto}.narrow{display:none}"
    ".short{font-size:1.3em;margin:.8em 0 .2em;overflow-wrap:anywhere}"
    ".stamp{display:inline-block;padding:.1em .8em;margin-right:.4em;border-radius:1em;color:var(--paper)}"
    ".stamp.good{background:var(--good)}.stamp.bad{background:var(--bad)}.verdict{color:var(--soft);margin:.3em 0}"
    ".numbers{gap:.6em 3em}.numbers b{font-size:1.9em;line-height:1.2}.numbers dd{font-weight:400}"
    ".numbers .off{color:var(--soft);font-size:.85em}"
    "dl{display:flex;flex-wrap:wrap;gap:.4em 2em;margin:.6em 0}dt{color:var(--soft);font-size:.85em}"
    "dd{margin:0;font-weight:600;overflow-wrap:anywhere}"
    ".by{color:var(--soft);margin:.6em 0 0}"
    ".wide{overflow-x:auto;margin:1em 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{padding:.25em .8em;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}td.text{white-space:normal;overflow-wrap:anywhere;min-width:7em;"
    "text-align:left}"
    "th{color:var(--soft)}th button{font:inherit;font-weight:bold;color:var(--mark);background:none;border:0;"
    "padding:0;min-height:24px;cursor:pointer}"
    "summary{cursor:pointer;color:var(--mark)}"
    ".answer{font-size:1.15em;font-weight:bold}"
    ".plots{display:flex;flex-wrap:wrap;gap:1.2em;overflow-x:auto}.plots svg{max-width:100%;height:auto}"
    ".wide svg{max-width:none}"
    "@media screen and (max-width:600px){.load{display:none}.load.narrow{display:block}.lead{padding:.2em .7em 1em}"
    ".numbers{gap:.4em 1.4em}.numbers b{font-size:1.4em}.short{font-size:1.1em}h1{font-size:1.4em}td,th{padding:.25em "
    ".4em}"
    "td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:7em}"
    ".plots{display:block}.plots svg{display:block;min-width:30em}}"
    "img{height:64px;image-rendering:pixelated;vertical-align:middle}"
    "pre,code{background:var(--ground);overflow-wrap:anywhere}pre{padding:.8em;overflow:auto;white-space:pre-wrap}"
    "@page{size:A4;margin:14mm}"
    "@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "body{max-width:none;margin:0;font-size:11px}.wide,.plots{overflow:visible}svg{max-width:100%!important;height:"
    "auto}"
    "td,th{white-space:normal;padding:.15em .4em}details::details-content{content-visibility:visible}"
    "svg,tr,.lead{break-inside:avoid}h2{break-after:avoid}}";

// A click sorts by that column, largest first; another one turns it round.
constexpr const char* kSort =
    "document.querySelectorAll('th button').forEach(function(b){b.onclick=function(){"
    "var h=b.parentNode,t=h.closest('table'),i=h.cellIndex,d=h.getAttribute('aria-sort')==='descending'?1:-1;"
    "t.querySelectorAll('th').forEach(function(o){o.removeAttribute('aria-sort')});"
    "h.setAttribute('aria-sort',d<0?'descending':'ascending');"
    "var rows=[].slice.call(t.tBodies[0].rows);"
    "var key=function(r){var c=r.cells[i];return c.dataset.by===undefined?c.textContent:+c.dataset.by};"
    "rows.sort(function(a,b){var x=key(a),y=key(b);return x<y?-d:x>y?d:0});"
    "rows.forEach(function(r){t.tBodies[0].appendChild(r)})}});";

// What is wider than a phone is moved by keyboard too.
constexpr const char* kScrolled = "<div class='wide' tabindex='0' role='group' aria-label='Wide content'>";

std::string head_of(const HtmlTable& table) {
  std::string html = "<thead><tr>";
  for (const auto& column : table.columns)
    html += column.empty() ? "<td></td>"
                           : fmt::format(fmt::runtime(table.sortable ? "<th scope='col'><button>{}</button></th>"
                                                                     : "<th scope='col'>{}</th>"),
                                         html_escaped(column));
  return html + "</tr></thead>";
}

std::string content_of(const HtmlCell& cell) {
  if (cell.png.empty()) return html_escaped(cell.text);
  return fmt::format("<img alt='{}' src='data:image/png;base64,{}'>", html_escaped(cell.text), base64(cell.png));
}

std::string numbers_of(const std::vector<ReportNumber>& numbers) {
  std::string html = "<dl class='numbers'>";
  for (const auto& number : numbers)
    html +=
        fmt::format("<div><dt>{}</dt><dd><b>{}</b> {}</dd><dd class='off'>{}</dd></div>", html_escaped(number.label),
                    html_escaped(number.value), html_escaped(number.unit), html_escaped(number.off));
  return html + "</dl>\n";
}

constexpr double kDarkest = 0.4;  // a number is still read on it, in light and in dark

std::string row_of(const std::vector<HtmlCell>& cells) {
  std::string html = "<tr>";
  for (const auto& cell : cells)
    html +=
        fmt::format("<td{}{}>{}</td>",
                    cell.number             ? fmt::format(" data-by='{:.9g}'", *cell.number)
                    : cell.text.size() > 24 ? " class='text'"
                                            : "",
                    cell.shade ? fmt::format(" style='background:rgba(11,95,134,{:.2f})'", kDarkest * *cell.shade) : "",
                    content_of(cell));
  return html + "</tr>\n";
}

}  // namespace

HtmlCell HtmlCell::picture(std::string png, std::string text) {
  HtmlCell cell(std::move(text));
  cell.png = std::move(png);
  return cell;
}

void HtmlPage::lead(const ReportLead& lead) {
  const char* look = lead.good ? "good" : "bad";
  std::string html = "<section class='lead' aria-label='The answer'>\n";
  if (!lead.stamp.empty())
    html += fmt::format("<p class='short'><b class='stamp {}'>{}</b> <b>{}</b></p>\n", look, html_escaped(lead.stamp),
                        html_escaped(lead.asked));
  html += fmt::format("<p class='{}'>{}</p>\n", lead.stamp.empty() ? fmt::format("answer {}", look) : "verdict",
                      html_escaped(lead.verdict));
  if (!lead.numbers.empty()) html += numbers_of(lead.numbers);
  if (!lead.picture.empty())
    html += fmt::format("<div class='load'>{}</div><div class='load narrow'>{}</div>\n<p class='by'>{}</p>\n",
                        lead.picture, lead.narrow_picture, html_escaped(lead.about_picture));
  html += "<dl>";
  for (const auto& [name, value] : lead.assumed)
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", html_escaped(name), html_escaped(value));
  html += "</dl>\n";
  if (!lead.command.empty()) html += fmt::format("<p><code>{}</code></p>\n", html_escaped(lead.command));
  body_ += html + fmt::format("<p class='by'>{}</p></section>\n", written_by());
}

void HtmlPage::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", html_escaped(text)); }
void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", html_escaped(text)); }
void HtmlPage::strong(std::string_view text) { body_ += fmt::format("<p class='answer'>{}</p>\n", html_escaped(text)); }
void HtmlPage::preformatted(std::string_view text) { body_ += fmt::format("<pre>{}</pre>\n", html_escaped(text)); }

void HtmlPage::list(const std::vector<std::string>& items) {
  if (items.empty()) return;
  body_ += "<ul>\n";
  for (const auto& item : items) body_ += fmt::format("<li>{}</li>\n", html_escaped(item));
  body_ += "</ul>\n";
}

void HtmlPage::table(const HtmlTable& table) {
  sorts_ = sorts_ || table.sortable;
  std::string html = kScrolled + std::string("<table>") + head_of(table) + "<tbody>\n";
  for (const auto& row : table.rows) html += row_of(row);
  html += "</tbody></table></div>\n";
  if (table.folded) html = fmt::format("<details><summary>{}</summary>{}</details>\n", html_escaped(table.title), html);
  body_ += html;
}

void HtmlPage::pictures(const std::vector<std::string>& svgs) {
  body_ += "<div class='plots' tabindex='0' role='group' aria-label='Pictures'>\n";
  for (const auto& svg : svgs) body_ += svg;
  body_ += "</div>\n";
}

void HtmlPage::wide_picture(const std::string& svg) { body_ += kScrolled + svg + "</div>\n"; }

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'><title>{0}</title><style>{1}</style></head><body>\n<main><h1>{0}</"
      "h1>\n"
      "{2}</main>{3}</body></html>\n",
      html_escaped(title_), kStyle, body_, sorts_ ? fmt::format("<script>{}</script>\n", kSort) : "");
}

}  // namespace plimsoll
