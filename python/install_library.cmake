# Read by CMake after project() when pip builds the package: the library goes into the wheel, beside the code.
cmake_language(DEFER CALL install FILES $<TARGET_FILE:plimsoll_library> DESTINATION lib RENAME libplimsoll.so
               COMPONENT python)
