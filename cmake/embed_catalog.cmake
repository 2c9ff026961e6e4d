# cmake -DFOLDER=catalog/devices -DOUTPUT=file.cpp -P embed_catalog.cmake: writes a C++ file that holds the text
# of every .json file of the folder, sorted by name. A literal knows its length (sv): clang counts no more than a
# million characters while it compiles.
file(GLOB files ${FOLDER}/*.json)
set(names "")
foreach(file ${files})
  cmake_path(GET file STEM LAST_ONLY name)
  list(APPEND names ${name})
endforeach()
list(SORT names COMPARE STRING)

set(text "// Written by cmake/embed_catalog.cmake from catalog/devices.\n#include \"plan/devices/all_devices.h\"\n\n")
string(APPEND text "using namespace std::literals;\n\nnamespace plimsoll {\n\n")
string(APPEND text "std::span<const CatalogFile> all_device_files() {\n")
string(APPEND text "  static constexpr CatalogFile kFiles[] = {\n")
foreach(name ${names})
  file(READ ${FOLDER}/${name}.json json)
  string(APPEND text "{\"${name}\", R\"plim(${json})plim\"sv},\n")
endforeach()
string(APPEND text "  };\n  return kFiles;\n}\n\n}  // namespace plimsoll\n")
file(WRITE ${OUTPUT} "${text}")
