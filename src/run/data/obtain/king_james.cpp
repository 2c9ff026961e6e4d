// English prose in the public domain: the King James Bible of 1611 from the Debian packages bible-kjv-text, which has
// it compressed, and bible-kjv, which reads it. A verse a line, without its number.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "run/data/obtain/obtain.h"
#include "run/data/obtain/run_tool.h"

namespace plimsoll {
namespace {

constexpr CheckedFile kKingJamesFiles[] = {{"king_james.txt", 4'137'850, 0xdd06d0f1}};

// "Ge1:1 In the beginning …" without what stands before the first space.
Result<std::string> verses_in(const std::string& path) {
  std::ifstream in(path);
  std::string text, line;
  while (std::getline(in, line))
    if (const size_t space = line.find(' '); space != std::string::npos) text += line.substr(space + 1) + "\n";
  if (text.empty()) return environment_error("bible-kjv wrote no verses");
  return text;
}

Status make_king_james(const std::string& folder, const std::string&, const ObtainProgress& progress) {
  const std::string place = std::filesystem::path(folder).parent_path().string();
  for (const char* package : {"bible-kjv-text", "bible-kjv"}) {
    const std::string unpacked = fmt::format("{}/{}", place, package);
    std::error_code error;
    std::filesystem::create_directory(unpacked, error);
    PLIM_TRY(unpack_debian_package(package, unpacked, progress));
  }
  const std::string verses = place + "/verses";
  PLIM_TRY(run_tool({place + "/bible-kjv/usr/bin/bible", "-f", "gen1:1-rev22:21"}, place + "/bible-kjv-text/usr/lib",
                    verses));
  PLIM_ASSIGN(const std::string text, verses_in(verses));
  return write_new_file(folder + "/king_james.txt", text);
}

}  // namespace

ObtainableSet king_james_set() {
  return {"king-james", "Debian packages bible-kjv-text and bible-kjv", kKingJamesFiles, make_king_james};
}

}  // namespace plimsoll
