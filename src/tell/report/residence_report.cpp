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

template <class T>
void add(Json& json, const char* key, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_same_v<T, Bytes>) json[key] = value->value();
  else json[key] = value->value;
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

Json residence_json(const Residence& residence) {
  Json json{{"disk_bytes", residence.disk.value()},
            {"ram_bytes", residence.ram.value()},
            {"device_bytes", residence.device.value()}};
  add(json, "cache_bytes", residence.cache);
  json["residents"] = Json::array();
  for (const auto& row : residence.residents) {
    Json resident{{"what", row.what}};
    add(resident, "disk_bytes", row.disk);
    add(resident, "ram_bytes", row.ram);
    add(resident, "cache_bytes", row.cache);
    add(resident, "device_bytes", row.device);
    json["residents"].push_back(std::move(resident));
  }
  json["moves"] = Json::array();
  for (const auto& row : residence.moves) {
    Json move{{"what", row.what}, {"from", name_of(row.from)},  {"to", name_of(row.to)},
              {"over", row.over}, {"bytes", row.bytes.value()}, {"every_step", row.every_step}};
    add(move, "seconds", row.time);
    add(move, "epoch_seconds", row.per_epoch);
    json["moves"].push_back(std::move(move));
  }
  json["remarks"] = residence.remarks;
  return json;
}

}  // namespace plimsoll
