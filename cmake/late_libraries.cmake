# cmake -DNM=nm -DARCHIVES=a.a -DLIBRARIES=a.so;b.so -DOUTPUT=file.cpp -P late_libraries.cmake: writes a stub for each
# function that the archives call in one of the shared libraries, so that the program need not be linked to them. What a
# stub does at its first call: src/tell/cli/late_library.h.
cmake_minimum_required(VERSION 3.25)

function(symbols output)  # options of nm, files
  execute_process(COMMAND ${NM} --format=posix ${ARGN} OUTPUT_VARIABLE text ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${output} "${lines}" PARENT_SCOPE)
endfunction()

symbols(lines --undefined-only ${ARCHIVES})
list(FILTER lines INCLUDE REGEX "^[A-Za-z][A-Za-z0-9_]* U")  # functions of C: those of C++ begin with _Z
list(TRANSFORM lines REPLACE " .*" "")
list(REMOVE_DUPLICATES lines)
set(called ${lines})

set(table "")
set(stubs "")
set(count 0)
foreach(library ${LIBRARIES})
  file(REAL_PATH ${library} file)
  get_filename_component(file ${file} NAME)
  string(REGEX MATCH "^[^.]+\\.so\\.[0-9]+" file ${file})  # the name that a linker would write down
  symbols(lines -D --defined-only ${library})
  list(FILTER lines INCLUDE REGEX "^[A-Za-z][A-Za-z0-9_]*(@[^ ]*)? [TWi] ")
  list(TRANSFORM lines REPLACE "[@ ].*" "")
  list(REMOVE_DUPLICATES lines)
  foreach(name ${lines})
    if(name IN_LIST called)
      string(APPEND table "    {\"${file}\", \"${name}\"},\n")
      string(APPEND stubs "PLIM_STUB(${name}, ${count})\n")
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
endforeach()

file(WRITE ${OUTPUT} "// Written by cmake/late_libraries.cmake.
#include \"tell/cli/late_library.h\"

extern \"C\" {
void* plim_late_addresses[${count}];
const plimsoll::LateFunction plim_late_functions[${count}] = {
${table}};
}

${stubs}")
