# What the sanitizer builds (PLIM_SANITIZE) run of the tests, and how it is seen that a sanitizer really looks.
#
# ThreadSanitizer makes everything several times slower and finds something only where there are threads:
# tests/sanitizer/thread_tests.txt lists the sources of tests that are worth it. Its reports are gathered in files,
# since a test that kills its server, or a worker that ends with _exit, would hide them; threads/no_races prints what
# was found, after all tests.
set(plim_thread_lists ${CMAKE_CURRENT_SOURCE_DIR}/sanitizer)
set(plim_thread_reports ${CMAKE_BINARY_DIR}/races)

# Tests are started through CMAKE_CROSSCOMPILING_EMULATOR, with what their sanitizer wants to be told.
if(PLIM_SANITIZE STREQUAL address)
  set(CMAKE_CROSSCOMPILING_EMULATOR env ASAN_OPTIONS=verify_asan_link_order=0)  # a library of tests/fault goes first
elseif(PLIM_SANITIZE STREQUAL thread)
  set(plim_thread_tests)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plim_thread_lists}/thread_tests.txt)
  file(STRINGS ${plim_thread_lists}/thread_tests.txt lines REGEX "^[^# ]")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^[^# ]+" pattern "${line}")
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
    if(NOT found)
      message(FATAL_ERROR "sanitizer/thread_tests.txt: there is no tests/${pattern}")
    endif()
    list(APPEND plim_thread_tests ${found})
  endforeach()
  # The sanitizer wants a range of addresses that a kernel which randomises much may have given away.
  execute_process(COMMAND setarch --addr-no-randomize true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
  if(refused EQUAL 0)
    set(plim_steady_addresses setarch --addr-no-randomize)
  endif()
  # The bench measures in a child process that has threads of its own, which the sanitizer would not let it start.
  set(options suppressions=${plim_thread_lists}/thread_suppressions.txt log_path=${plim_thread_reports}/report
              die_after_fork=0)
  list(JOIN options ":" options)
  set(CMAKE_CROSSCOMPILING_EMULATOR env OMP_NUM_THREADS=2 TSAN_OPTIONS=${options} ${plim_steady_addresses})
endif()

# plim_only_sanitized(sources): leaves in the list what this build is to test.
function(plim_only_sanitized list)
  if(NOT PLIM_SANITIZE STREQUAL thread)
    return()
  endif()
  set(kept)
  foreach(source IN LISTS ${list})
    if(source IN_LIST plim_thread_tests)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# A mistake of each kind, which its sanitizer has to find: in a batch and behind a precompiled header, as all sources
# are compiled.
function(plim_sanitizer_finds name expected)
  add_executable(${name} sanitizer/${name}.cpp sanitizer/neighbour.cpp)
  target_link_libraries(${name} PRIVATE plimsoll_flags)
  plim_build_fast(${name} <vector>)
  add_test(NAME sanitizer/${name} COMMAND ${plim_steady_addresses} $<TARGET_FILE:${name}>)
  set_tests_properties(sanitizer/${name} PROPERTIES LABELS sanitizer
                       PASS_REGULAR_EXPRESSION "${expected}")
endfunction()

function(plim_sanitizer_tests)
  if(PLIM_SANITIZE STREQUAL address)
    plim_sanitizer_finds(overrun "heap-buffer-overflow.*overrun\\.cpp:6")
    plim_sanitizer_finds(overflow "overflow\\.cpp:6:.*signed integer overflow")
  elseif(PLIM_SANITIZE STREQUAL thread)
    plim_sanitizer_finds(race "data race.*race\\.cpp:7")
    add_test(NAME threads/no_old_races COMMAND ${CMAKE_SOURCE_DIR}/tools/no_races.sh --forget ${plim_thread_reports})
    add_test(NAME threads/no_races COMMAND ${CMAKE_SOURCE_DIR}/tools/no_races.sh ${plim_thread_reports})
    set_tests_properties(threads/no_old_races PROPERTIES LABELS sanitizer FIXTURES_SETUP races)
    set_tests_properties(threads/no_races PROPERTIES LABELS sanitizer FIXTURES_CLEANUP races)
  endif()
endfunction()
