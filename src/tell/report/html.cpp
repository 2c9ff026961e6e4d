#include "tell/report/html.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

constexpr const char* kStyle =
    ":root{--ink:#222;--soft:#5a5a5a;--rule:#ddd;--ground:#fff;--box:#f6f6f4;--mark:#1f5fa8}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a8a8a8;--rule:#3a3a3a;--ground:#16181b;--box:#"
    "22252a;"
    "--mark:#7fb2ee}}"
    "body{font:15px/1.5 sans-serif;color:var(--ink);background:var(--ground);max-width:1180px;margin:1.5em auto;"
    "padding:0 1em}"
    "h2{margin-top:2em;border-bottom:1px solid var(--rule)}"
    ".wide{overflow-x:auto;margin:1em 0}table{border-collapse:collapse}"
    "td,th{padding:.25em .8em;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}td.text{white-space:normal;overflow-wrap:anywhere;min-width:7em}"
    "th button{font:inherit;font-weight:bold;color:var(--mark);background:none;border:0;padding:0;cursor:pointer}"
    "summary{cursor:pointer;color:var(--mark)}"
    ".answer{font-size:1.15em;font-weight:bold}"
    ".plots{display:flex;flex-wrap:wrap;gap:1.2em}.plots svg{max-width:100%;height:auto}"
    // On a phone a drawing is moved sideways rather than made too small to read, and long names are folded.
    "@media(max-width:600px){h1{font-size:1.5em;overflow-wrap:anywhere}h2{overflow-wrap:anywhere}"
    "td,th{padding:.25em .4em}td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:7em}"
    ".plots{display:block;overflow-x:auto}.plots svg{display:block;min-width:30em}}"
    "img{height:64px;image-rendering:pixelated;vertical-align:middle}"
    "pre{background:var(--box);padding:.8em;overflow:auto}"
    "@media print{body{max-width:none;margin:0}details>*{display:block}svg,tr{break-inside:avoid}}";

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

std::string head_of(const HtmlTable& table) {
  std::string html = "<thead><tr>";
  for (const auto& column : table.columns)
    html += fmt::format(fmt::runtime(table.sortable ? "<th><button>{}</button></th>" : "<th>{}</th>"),
                        html_escaped(column));
  return html + "</tr></thead>";
}

std::string content_of(const HtmlCell& cell) {
  if (cell.png.empty()) return html_escaped(cell.text);
  return fmt::format("<img alt='{}' src='data:image/png;base64,{}'>", html_escaped(cell.text), base64(cell.png));
}

std::string row_of(const std::vector<HtmlCell>& cells) {
  std::string html = "<tr>";
  for (const auto& cell : cells)
    html += fmt::format("<td{}>{}</td>",
                        cell.number             ? fmt::format(" data-by='{:.9g}'", *cell.number)
                        : cell.text.size() > 24 ? " class='text'"
                                                : "",
                        content_of(cell));
  return html + "</tr>\n";
}

}  // namespace

HtmlCell HtmlCell::picture(std::string png, std::string text) {
  HtmlCell cell(std::move(text));
  cell.png = std::move(png);
  return cell;
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
  std::string html = "<div class='wide'><table>" + head_of(table) + "<tbody>\n";
  for (const auto& row : table.rows) html += row_of(row);
  html += "</tbody></table></div>\n";
  if (table.folded) html = fmt::format("<details><summary>{}</summary>{}</details>\n", html_escaped(table.title), html);
  body_ += html;
}

void HtmlPage::pictures(const std::vector<std::string>& svgs) {
  body_ += "<div class='plots'>\n";
  for (const auto& svg : svgs) body_ += svg;
  body_ += "</div>\n";
}

void HtmlPage::wide_picture(const std::string& svg) { body_ += "<div class='wide'>" + svg + "</div>\n"; }

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n"
      "{2}{3}</body></html>\n",
      html_escaped(title_), kStyle, body_, sorts_ ? fmt::format("<script>{}</script>\n", kSort) : "");
}

}  // namespace plimsoll
