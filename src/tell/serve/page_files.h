// The page itself: the files of web/dist, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

struct PageFile {
  std::string_view name, type, text;
};

std::span<const PageFile> all_page_files();

}  // namespace plimsoll
