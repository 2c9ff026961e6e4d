# plim_batches(sources…): sorts sources into batches, each of which is compiled as one file (CMake's unity build, mode
# GROUP). What only one file knows is often called the same in another (build, kLargest, Case): files whose names would
# meet never share a batch, so nobody needs to think of batches when naming things.
set(plim_batch_size 32)

# The names that are declared outside of functions: after clang-format only those lines start in the first column.
function(plim_declared_names text result)
  string(REGEX MATCHALL "\n[A-Za-z][^\n]*" lines "${text}")
  list(FILTER lines EXCLUDE REGEX "^\n(namespace|template|TEST|INSTANTIATE)")
  set(names)
  foreach(line IN LISTS lines)
    if(line MATCHES "^\n(struct|class|union|using|enum class|enum) +([A-Za-z0-9_]+)"
       OR line MATCHES "^\n([^=]*[^=:A-Za-z0-9_])([A-Za-z0-9_]+) *=")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
    # constexpr int kRows = 2, kColumns = 3; constexpr std::array<int, std::size(kRows)> kSums = {};
    string(REGEX MATCHALL "(, k[A-Z][A-Za-z0-9]*|[ >]k[A-Z][A-Za-z0-9]* *=)" constants "${line}")
    list(TRANSFORM constants REPLACE "[ ,>=]" "")
    list(APPEND names ${constants})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# The names only the source knows, and those it shares with others.
function(plim_names_of source own shared)
  file(READ ${source} text)
  string(REGEX REPLACE "[][;{(]" "=" text "${text}")  # what ends a name; brackets and semicolons would break up lists
  string(REGEX MATCH "\nnamespace =\n.*\n}  // namespace\n" anonymous "${text}")
  string(REPLACE "${anonymous}" "" rest "${text}")
  plim_declared_names("${anonymous}" names)
  set(${own} ${names} PARENT_SCOPE)
  plim_declared_names("${rest}" names)
  set(${shared} ${names} PARENT_SCOPE)
endfunction()

# Whether two lists have a name in both.
function(plim_meet one other result)
  set(rest ${${one}})
  list(REMOVE_ITEM rest "" ${${other}})
  list(LENGTH ${one} before)
  list(LENGTH rest after)
  string(COMPARE NOTEQUAL ${before} ${after} meet)
  set(${result} ${meet} PARENT_SCOPE)
endfunction()

function(plim_batches)
  set(batches)
  foreach(source IN LISTS ARGN)
    plim_names_of(${source} own shared)
    set(all ${own} ${shared})
    set(batch 0)
    while(batch IN_LIST batches)
      list(LENGTH sources_${batch} size)
      plim_meet(own all_${batch} meets_all)
      plim_meet(all own_${batch} meets_own)
      if(size LESS plim_batch_size AND NOT meets_all AND NOT meets_own)
        break()
      endif()
      math(EXPR batch "${batch} + 1")
    endwhile()
    if(NOT batch IN_LIST batches)
      list(APPEND batches ${batch})
    endif()
    list(APPEND sources_${batch} ${source})
    list(APPEND own_${batch} ${own})
    list(APPEND all_${batch} ${all})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${batch})
  endforeach()
endfunction()
