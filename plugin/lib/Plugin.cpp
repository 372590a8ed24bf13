//===- Plugin.cpp - What a host looks up in this library ------------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config.h"
#include "MlirGs/MlirGs.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mlir-gs", LLVM_VERSION_STRING,
          gs::registerPasses};
}

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mlir-gs", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            gs::registerDialect(*registry);
          }};
}
