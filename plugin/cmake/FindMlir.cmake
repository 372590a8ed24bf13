# MLIR by MLIR_DIR, or that of the packages xtc-mlir-dev and xtc-llvm-dev of PyPI, as targets and
# variables of MLIRConfig.cmake. MLIR_GS_SCRIPTS is the folder of the Python's scripts.
find_package(Python3 3.11 COMPONENTS Interpreter)
set(MLIR_GS_SCRIPTS "")
if(Python3_FOUND)
  execute_process(OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND "${Python3_EXECUTABLE}" -Pc
      "import sysconfig; print(sysconfig.get_path('scripts'), sysconfig.get_path('platlib'), sep=';')"
    OUTPUT_VARIABLE folders)
  list(GET folders 0 MLIR_GS_SCRIPTS)
  list(GET folders 1 packages)
  if(NOT MLIR_DIR AND EXISTS "${packages}/mlir/lib/cmake/mlir/MLIRConfig.cmake")
    set(MLIR_DIR "${packages}/mlir/lib/cmake/mlir")
  endif()
endif()
if(NOT MLIR_DIR)
  message(FATAL_ERROR "The headers of MLIR were not found: "
    "pip install xtc-mlir-dev xtc-llvm-dev, or -DMLIR_DIR=<the folder of MLIRConfig.cmake>.")
endif()
if(NOT EXISTS "${MLIR_DIR}/MLIRConfig.cmake")
  message(FATAL_ERROR "MLIR_DIR: '${MLIR_DIR}' holds no MLIRConfig.cmake.")
endif()
# The packages of PyPI lie side by side, and CMake would look for LLVM elsewhere.
get_filename_component(beside "${MLIR_DIR}/../../../../llvm/lib/cmake/llvm" ABSOLUTE)
if(NOT LLVM_DIR AND EXISTS "${beside}/LLVMConfig.cmake")
  set(LLVM_DIR "${beside}")
endif()
find_package(MLIR REQUIRED CONFIG)
if(LLVM_VERSION_MAJOR LESS 19)
  message(FATAL_ERROR "MLIR ${LLVM_PACKAGE_VERSION} is too old: the plugin needs 19 or later.")
endif()
