//===- Interfaces.h - What upstream's passes ask gs ops ---------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_LIB_INTERFACES_H
#define MLIRGS_LIB_INTERFACES_H

#include "mlir/IR/MLIRContext.h"

namespace gs {

/// Give the gs ops of `context` their interfaces: memory effects.
void attachInterfaces(mlir::MLIRContext *context);

} // namespace gs

#endif // MLIRGS_LIB_INTERFACES_H
