//===- MlirGs.h - gs in compilers written in C++ ----------------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gs dialect and its passes for a program that links MLIR. The passes run
// in one gs-opt process, which starts with the first of them and ends with the
// program. All functions may be called from any thread.
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_MLIRGS_H
#define MLIRGS_MLIRGS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace gs {

/// Let contexts that use `registry` read, verify and print gs ops.
void registerDialect(mlir::DialectRegistry &registry);

/// Register each pass and pipeline of gs-opt under its own name, and `gs`,
/// which takes the text of a pipeline. Doing it again changes nothing.
void registerPasses();

/// A pass on `builtin.module` or `func.func` that lets gs-opt run `pipeline`:
/// the text of passes and pipelines, of gs and of upstream, with options. What
/// is wrong with the text is an error when the pass runs.
std::unique_ptr<mlir::Pass> createPass(llvm::StringRef pipeline);

/// Append the passes of `pipeline`, each by itself: those of gs, and those of
/// upstream that are registered in this program. What is wrong with the text is
/// written to `errors`.
mlir::LogicalResult addPipeline(mlir::OpPassManager &manager,
                                llvm::StringRef pipeline,
                                llvm::raw_ostream &errors = llvm::errs());

} // namespace gs

#endif // MLIRGS_MLIRGS_H
