# cmake -DFOLDER=web/dist -DOUTPUT=file.cpp -P embed_page.cmake: writes a C++ file that holds the files of the page.
set(text "// Written by cmake/embed_page.cmake from web/dist.\n#include \"tell/serve/page_files.h\"\n\n")
string(APPEND text "namespace plimsoll {\n\nstd::span<const PageFile> all_page_files() {\n")
string(APPEND text "  static constexpr PageFile kFiles[] = {\n")
foreach(file "index.html|text/html" "app.js|text/javascript" "theme.js|text/javascript"
        "app.css|text/css" "icon.svg|image/svg+xml")
  string(REPLACE "|" ";" parts "${file}")
  list(GET parts 0 name)
  list(GET parts 1 type)
  file(READ ${FOLDER}/${name} content)
  string(APPEND text "{\"${name}\", \"${type}; charset=utf-8\", R\"plim(${content})plim\"},\n")
endforeach()
string(APPEND text "  };\n  return kFiles;\n}\n\n}  // namespace plimsoll\n")
file(WRITE ${OUTPUT} "${text}")
