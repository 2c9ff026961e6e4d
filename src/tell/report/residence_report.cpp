#include "tell/report/residence_report.h"

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string cell(const std::optional<Bytes>& bytes) { return bytes ? human_bytes(*bytes) : ""; }
std::string cell(const std::optional<Seconds>& time) { return time ? human_time(*time) : ""; }

// The cache is shared by all: a thing larger than it has a part of it there, at most the whole cache.
std::string cache_cell(const Resident& row) {
  return row.cache && row.ram && *row.cache < *row.ram ? "up to " + human_bytes(*row.cache) : cell(row.cache);
}

}  // namespace

std::string residence_text(const Residence& residence) {
  Table places({{"What", Table::Align::left}, {"Disk"}, {"RAM"}, {"CPU caches"}, {"Device"}});
  for (const auto& row : residence.residents)
    places.add({row.what, cell(row.disk), cell(row.ram), cache_cell(row), cell(row.device)});
  places.add_line();
  const auto total = [](Bytes bytes) { return bytes == Bytes(0) ? "" : human_bytes(bytes); };
  places.add({"total", total(residence.disk), total(residence.ram), cell(residence.cache), total(residence.device)});

  Table moves({{"Move", Table::Align::left},
               {"From", Table::Align::left},
               {"To", Table::Align::left},
               {"Over", Table::Align::left},
               {"Bytes"},
               {"Time"},
               {"When", Table::Align::left},
               {"Per epoch"}});
  for (const auto& move : residence.moves)
    moves.add({move.what, std::string(name_of(move.from)), std::string(name_of(move.to)), move.over,
               human_bytes(move.bytes), cell(move.time), move.every_step ? "every step" : "once",
               cell(move.per_epoch)});
  std::string text = places.text() + "\n" + moves.text();
  if (!residence.remarks.empty()) text += "\n";
  for (const auto& remark : residence.remarks) text += printable(remark) + "\n";
  return text;
}

}  // namespace plimsoll
