#include "tell/report/link_table.h"

#include "base/size_text.h"
#include "plan/time/link.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string link_table() {
  Table table({{"Link", Table::Align::left},
               {"What", Table::Align::left},
               {"Each way"},
               {"Reached"},
               {"Latency"},
               {"From", Table::Align::left}});
  for (const auto& link : all_links())
    table.add(
        {link.name, link.title, human_rate(link.rate), percent(link.share), human_time(link.latency), link.source});
  return table.text();
}

}  // namespace plimsoll
