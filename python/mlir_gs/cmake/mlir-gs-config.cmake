# find_package(mlir-gs): kernels of MLIR files in C and C++ targets.
#
#   cmake -B build -Dmlir-gs_DIR=$(python -m mlir_gs --cmakedir)
#
# MLIR_GS_PYTHON is the Python that has mlir-gs installed, by default the one that CMake finds.

cmake_minimum_required(VERSION 3.20)

if(NOT MLIR_GS_PYTHON)
  find_package(Python3 3.11 QUIET COMPONENTS Interpreter)
  set(MLIR_GS_PYTHON "${Python3_EXECUTABLE}" CACHE FILEPATH "The Python that has mlir-gs installed")
endif()

# `-P`: a folder in which CMake runs must not hide the package.
execute_process(
  COMMAND "${MLIR_GS_PYTHON}" -P -c "import mlir_gs; print(mlir_gs.__version__)"
  OUTPUT_VARIABLE mlir-gs_VERSION
  ERROR_VARIABLE _gs_error
  RESULT_VARIABLE _gs_result
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT _gs_result EQUAL 0)
  set(mlir-gs_FOUND FALSE)
  set(mlir-gs_NOT_FOUND_MESSAGE
    "'${MLIR_GS_PYTHON}' has no mlir-gs: set MLIR_GS_PYTHON to one that has. ${_gs_error}")
  return()
endif()

# gs_add_kernel(<target> SOURCES <file>...
#               [MCPU <cpu>...] [ENTRIES <function>...] [PREFIX <text>] [THREADS <number>]
#               [SANITIZE] [PASS_PIPELINE <text>])
#
# Compiles each MLIR file to an object and a header of its name, `rows.mlir` to `rows.h`, and puts
# both into <target>, which is made as a static library if there is none. Several CPUs are chosen
# between at run time. Files are compiled again when they change. The other options are those of
# gs-compile; with more than one thread, the target links to the OpenMP runtime that mlir-gs finds.
function(gs_add_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 GS "SANITIZE" "PREFIX;THREADS;PASS_PIPELINE"
    "SOURCES;MCPU;ENTRIES")
  if(GS_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gs_add_kernel(${target}): unknown: ${GS_UNPARSED_ARGUMENTS}")
  endif()
  if(GS_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "gs_add_kernel(${target}): no value for ${GS_KEYWORDS_MISSING_VALUES}")
  endif()
  # A misspelt keyword behind one that takes several values looks like one of these.
  foreach(value IN LISTS GS_SOURCES GS_MCPU)
    if(value MATCHES "^[A-Z_]+$")
      message(FATAL_ERROR "gs_add_kernel(${target}): unknown: ${value}")
    endif()
  endforeach()
  if(NOT GS_SOURCES)
    message(FATAL_ERROR "gs_add_kernel(${target}): SOURCES names no file")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/gs/${target}")
  file(MAKE_DIRECTORY "${folder}")
  set(options)
  if(GS_MCPU)
    string(REPLACE ";" "," cpus "${GS_MCPU}")
    list(APPEND options "--mcpu=${cpus}")
  endif()
  foreach(entry IN LISTS GS_ENTRIES)
    list(APPEND options "--entry=${entry}")
  endforeach()
  if(GS_PREFIX)
    list(APPEND options "--prefix=${GS_PREFIX}")
  endif()
  if(GS_THREADS)
    list(APPEND options "--threads=${GS_THREADS}")
  endif()
  if(GS_SANITIZE)
    list(APPEND options "--sanitize")
  endif()
  if(GS_PASS_PIPELINE)
    list(APPEND options "--pass-pipeline=${GS_PASS_PIPELINE}")
  endif()

  set(made)
  foreach(source IN LISTS GS_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    get_filename_component(name "${source}" NAME_WLE)
    set(object "${folder}/${name}.o")
    set(header "${folder}/${name}.h")
    if("${object}" IN_LIST made)
      message(FATAL_ERROR "gs_add_kernel(${target}): two files are called ${name}")
    endif()
    add_custom_command(
      OUTPUT "${object}" "${header}"
      COMMAND "${MLIR_GS_PYTHON}" -P -m mlir_gs.tools.gs_compile "${path}" ${options}
              -o "${object}" -o "${header}"
      DEPENDS "${path}"
      COMMENT "gs-compile ${source}"
      VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND made "${object}" "${header}")
  endforeach()

  if(NOT TARGET ${target})
    add_library(${target} STATIC)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  endif()
  target_sources(${target} PRIVATE ${made})
  target_include_directories(${target} PUBLIC "${folder}")
  if(NOT WIN32)
    target_link_libraries(${target} PUBLIC m)
  endif()
  if(GS_THREADS AND GS_THREADS GREATER 1)
    execute_process(
      COMMAND "${MLIR_GS_PYTHON}" -P -c
              "from mlir_gs.execution.machine import openmp; print(openmp.runtime() or '')"
      OUTPUT_VARIABLE runtime
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    target_link_libraries(${target} PUBLIC "${runtime}")
  endif()
endfunction()
