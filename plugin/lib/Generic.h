//===- Generic.h - Maps and operands of gs.generic --------------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_LIB_GENERIC_H
#define MLIRGS_LIB_GENERIC_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace gs {

/// A gs.generic that has been verified: its operands are inputs, indices and
/// outputs, in this order.
struct Generic {
  explicit Generic(mlir::Operation *op) : op(op) {
    auto taken =
        op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
    for (auto [slot, count] : llvm::enumerate(taken.asArrayRef()))
      (slot < 8 ? inputs : slot < 16 ? indices : outputs) += count;
  }

  bool isOutput(unsigned operand) const { return operand >= inputs + indices; }
  unsigned rank() const {
    return op->getAttrOfType<mlir::ArrayAttr>("iterator_types").size();
  }

  /// The map of an operand; an index operand has one for each symbol that is
  /// read from it.
  llvm::SmallVector<mlir::AffineMap> maps(unsigned operand) const {
    llvm::SmallVector<mlir::AffineMap> found;
    auto maps = op->getAttrOfType<mlir::ArrayAttr>("indexing_maps");
    if (operand < inputs) {
      found.push_back(
          mlir::cast<mlir::AffineMapAttr>(maps[operand]).getValue());
    } else if (isOutput(operand)) {
      found.push_back(
          mlir::cast<mlir::AffineMapAttr>(maps[operand - indices]).getValue());
    } else {
      auto read = op->getAttrOfType<mlir::ArrayAttr>("coordinate_maps");
      for (mlir::Attribute map :
           mlir::cast<mlir::ArrayAttr>(read[operand - inputs]))
        found.push_back(mlir::cast<mlir::AffineMapAttr>(map).getValue());
    }
    return found;
  }

  mlir::Operation *op;
  unsigned inputs = 0, indices = 0, outputs = 0;
};

} // namespace gs

#endif // MLIRGS_LIB_GENERIC_H
