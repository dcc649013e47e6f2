# What all steps share: how a program, its expected output and the tests beside it are built.
include_guard()

set(STEP_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})
set(STEP_TOOLS_DIR ${CMAKE_CURRENT_LIST_DIR}/../tools)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)

enable_testing()
find_package(Catch2 REQUIRED)
include(Catch)

# add_step(<folder> <program>...) takes the programs in the order of the chapter. Each is one .cpp
# file with its expected output in expected/<program>.txt; tests/*_test.cpp are the Catch2 tests.
function(add_step folder)
  string(SUBSTRING ${folder} 0 6 step)
  add_custom_target(${step})
  step_check_programs(${ARGN})
  set_property(GLOBAL APPEND PROPERTY STEPS ${folder})
  set_property(GLOBAL PROPERTY PROGRAMS_OF_${folder} ${ARGN})
  foreach(program IN LISTS ARGN)
    add_executable(${step}_${program} ${program}.cpp)
    set_target_properties(${step}_${program} PROPERTIES OUTPUT_NAME ${program})
    add_dependencies(${step} ${step}_${program})
    step_standard_library(${step}_${program})
    step_expected_output(${step}_${program} ${program})
    add_test(NAME ${step}.${program}
             COMMAND ${STEP_TOOLS_DIR}/check ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}
                     ${program})
    set_tests_properties(${step}.${program} PROPERTIES LABELS ${step} TIMEOUT 90)
  endforeach()
  step_tests(${step})
endfunction()

# A program is built in half the time if the compiler has read the standard library before. Step 1 does
# without: there, a reader waits for the first output of all.
function(step_standard_library program)
  set(library standard_library_${CMAKE_CXX_STANDARD})
  if(program MATCHES ^step01)
    return()
  endif()
  if(NOT TARGET ${library})
    file(CONFIGURE OUTPUT ${library}.cpp CONTENT "")
    add_library(${library} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp)
    target_precompile_headers(
      ${library} PRIVATE <algorithm> <any> <chrono> <deque> <functional> <iostream> <map> <memory> <optional>
      <set> <string> <system_error> <unordered_map> <variant> <vector>)
  endif()
  target_precompile_headers(${program} REUSE_FROM ${library})
endfunction()

# No program without a place in the list, none in the list without a file. In CI that is an error.
function(step_check_programs)
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS [!._]*.cpp)
  list(TRANSFORM ARGN APPEND .cpp OUTPUT_VARIABLE listed)
  list(SORT listed)
  set(kind WARNING)
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    set(kind FATAL_ERROR)
  endif()
  if(NOT sources STREQUAL listed)
    message(${kind} "add_step() in CMakeLists.txt must list every .cpp file beside it.\n"
                        "  listed: ${listed}\n  there:  ${sources}\n"
                        "An exercise of yours? Put it into the folder work/.")
  endif()
endfunction()

# The expected output stands in expected/<program>.txt. Where that would be too large,
# expected/<program>.make prints it and expected/<program>.sha256 proves it right. A step that has no
# expected output of its own is held to that of the last earlier step with this program.
function(step_expected_output target program)
  set(steps ${CMAKE_CURRENT_SOURCE_DIR}/..)
  file(GLOB files ${CMAKE_CURRENT_SOURCE_DIR}/expected/${program}.txt
       ${CMAKE_CURRENT_SOURCE_DIR}/expected/${program}.make)
  if(NOT files)
    file(GLOB files ${steps}/step0*/expected/${program}.txt ${steps}/step0*/expected/${program}.make)
  endif()
  if(NOT files)
    message(FATAL_ERROR "${program} has no expected output: write expected/${program}.txt")
  endif()
  list(POP_BACK files file)
  string(REGEX REPLACE "[.][a-z]*$" "" expected ${file})
  if(EXISTS ${expected}.txt)
    return()
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/expected/${program}.txt)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -D MAKE=${expected}.make -D HASH=${expected}.sha256 -D OUT=${made}
            -P ${STEP_CMAKE_DIR}/MakeExpected.cmake
    DEPENDS ${expected}.make ${expected}.sha256
    VERBATIM)
  add_custom_target(${target}_expected DEPENDS ${made})
  add_dependencies(${target} ${target}_expected)
endfunction()

function(step_tests step)
  file(GLOB sources CONFIGURE_DEPENDS tests/[!._]*_test.cpp)
  if(NOT sources)
    message(FATAL_ERROR "${step} has no tests: write tests/<what>_test.cpp")
  endif()
  foreach(source IN LISTS sources)
    file(STRINGS ${source} names REGEX "TEST_CASE\\(\"[^\"]*;")
    if(names)
      message(FATAL_ERROR "${source}: CTest would lose a test with a ';' in its name")
    endif()
  endforeach()
  add_executable(${step}_tests ${sources})
  target_include_directories(${step}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${STEP_CMAKE_DIR})
  string(REGEX MATCH "^[0-9]+" catch2_major ${Catch2_VERSION})
  target_compile_definitions(${step}_tests PRIVATE CATCH2_MAJOR=${catch2_major})
  target_compile_definitions(${step}_tests PRIVATE PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/")
  set_source_files_properties(${sources} PROPERTIES COMPILE_DEFINITIONS
                              EXPECTED="${CMAKE_CURRENT_SOURCE_DIR}/expected/")
  add_dependencies(${step}_tests ${step})
  target_compile_options(${step}_tests PRIVATE -O0 -g1) # quick to build, also where the programs are optimized
  target_precompile_headers(${step}_tests PRIVATE ${STEP_CMAKE_DIR}/any_catch2.hpp)
  target_link_libraries(${step}_tests PRIVATE Catch2::Catch2WithMain)
  catch_discover_tests(${step}_tests TEST_PREFIX "${step}: " PROPERTIES LABELS ${step})
endfunction()

# add_tests_of(<folder> <test>...) builds tests of an earlier step into those of this one: the same file,
# which says what both versions must do, with this step's headers, and its helpers if it has them. The
# copy in the build folder is there because a quoted #include looks beside the file first.
function(add_tests_of from_folder)
  string(SUBSTRING ${PROJECT_NAME} 0 6 step)
  string(SUBSTRING ${from_folder} 0 6 from)
  target_include_directories(${step}_tests BEFORE PRIVATE tests)
  target_include_directories(${step}_tests PRIVATE ../${from_folder}/tests)
  foreach(test IN LISTS ARGN)
    set(copy ${CMAKE_CURRENT_BINARY_DIR}/tests/${from}_${test}.cpp)
    configure_file(${CMAKE_CURRENT_SOURCE_DIR}/../${from_folder}/tests/${test}.cpp ${copy} COPYONLY)
    set_source_files_properties(${copy} PROPERTIES COMPILE_DEFINITIONS
                                EXPECTED="${CMAKE_CURRENT_SOURCE_DIR}/../${from_folder}/expected/")
    target_sources(${step}_tests PRIVATE ${copy})
  endforeach()
endfunction()

# add_server_tests(<step>) builds what the tests of server programs need: a client, since nothing may be
# taken for granted, and a library that makes their system calls fail.
function(add_server_tests step)
  add_executable(${step}_tcp_client ${STEP_TOOLS_DIR}/tcp_client.cpp)
  set_target_properties(${step}_tcp_client PROPERTIES OUTPUT_NAME tcp_client)
  add_dependencies(${step} ${step}_tcp_client)
  if(NOT TARGET faults)
    add_library(faults MODULE ${STEP_TOOLS_DIR}/faults.cpp)
    target_compile_options(faults PRIVATE -fno-sanitize=all)
    target_link_options(faults PRIVATE -fno-sanitize=all)
    target_link_libraries(faults PRIVATE ${CMAKE_DL_LIBS})
  endif()
  add_dependencies(${step}_tests faults)
  target_compile_definitions(${step}_tests PRIVATE FAULTS_LIBRARY="$<TARGET_FILE:faults>")
endfunction()
