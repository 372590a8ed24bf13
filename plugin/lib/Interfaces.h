//===- Interfaces.h - What upstream's passes ask gs ops ---------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_LIB_INTERFACES_H
#define MLIRGS_LIB_INTERFACES_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"

namespace gs {

/// Whether a coordinate out of bounds makes the op fail.
bool reportsErrors(mlir::Operation *op);

/// Give the gs ops of `context` their memory effects, and gs.generic what the
/// two below give.
void attachInterfaces(mlir::MLIRContext *context);

/// Give gs.generic destination style and bufferization.
void attachBufferization(mlir::MLIRContext *context);

/// Give gs.generic tiling, from LLVM 22 on.
void attachTiling(mlir::MLIRContext *context);

} // namespace gs

#endif // MLIRGS_LIB_INTERFACES_H
