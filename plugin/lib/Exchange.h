//===- Exchange.h - IR to gs-opt and back -----------------------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_LIB_EXCHANGE_H
#define MLIRGS_LIB_EXCHANGE_H

#include "mlir/IR/Operation.h"

namespace gs {

/// Let gs-opt run `pipeline` on `op`, a builtin.module or a func.func, and
/// replace what is in it. Diagnostics are emitted at their locations.
mlir::LogicalResult runOn(mlir::Operation *op, llvm::StringRef pipeline);

} // namespace gs

#endif // MLIRGS_LIB_EXCHANGE_H
