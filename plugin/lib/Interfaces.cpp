//===- Interfaces.cpp - What upstream's passes ask gs ops -----------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

bool gs::reportsErrors(Operation *op) {
  auto isError = [](Attribute mode) {
    auto text = dyn_cast_or_null<StringAttr>(mode);
    return text && text.getValue() == "error";
  };
  auto modes = op->getAttrOfType<ArrayAttr>("modes");
  return isError(op->getAttr("mode")) ||
         (modes && llvm::any_of(modes, isError));
}

namespace {
/// As dialect/effects.py has it.
struct Effects : MemoryEffectOpInterface::FallbackModel<Effects> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>)) {
      effects.emplace_back(MemoryEffects::Read::get());
      effects.emplace_back(MemoryEffects::Write::get());
    } else if (gs::reportsErrors(op)) {
      effects.emplace_back(MemoryEffects::Write::get());
    }
  }
};
} // namespace

void gs::attachInterfaces(MLIRContext *context) {
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == "gs" &&
        !name.hasInterface<MemoryEffectOpInterface>())
      name.attachInterface<Effects>();
  attachBufferization(context);
  attachTiling(context);
}
