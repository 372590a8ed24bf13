//===- Bufferization.cpp - gs.generic in one-shot-bufferize ---------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generic.h"
#include "Interfaces.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace mlir::bufferization;
using gs::Generic;

namespace {
struct Destinations : DestinationStyleOpInterface::FallbackModel<Destinations> {
  MutableOperandRange getDpsInitsMutable(Operation *op) const {
    Generic generic(op);
    return MutableOperandRange(op, generic.inputs + generic.indices,
                               generic.outputs);
  }
};

/// Outputs are read and written in place, all else is read.
struct Bufferization : BufferizableOpInterface::FallbackModel<Bufferization> {
  bool bufferizesToAllocation(Operation *, Value) const { return false; }
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return Generic(op).isOutput(operand.getOperandNumber());
  }
  bool bufferizesToElementwiseAccess(Operation *, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    return false;
  }
  bool resultBufferizesToMemoryWrite(Operation *op, OpResult result,
                                     const AnalysisState &state) const {
    return bufferization::detail::defaultResultBufferizesToMemoryWrite(result,
                                                                       state);
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    Generic generic(op);
    if (!generic.isOutput(operand.getOperandNumber()))
      return {};
    unsigned number =
        operand.getOperandNumber() - generic.inputs - generic.indices;
    return {{op->getResult(number), BufferRelation::Equivalent}};
  }
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value value,
                                              const AnalysisState &) const {
    Generic generic(op);
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return {};
    unsigned number =
        generic.inputs + generic.indices + result.getResultNumber();
    return {{&op->getOpOperand(number), BufferRelation::Equivalent}};
  }
  bool isWritable(Operation *, Value value, const AnalysisState &) const {
    return isa<OpResult>(value);
  }
  bool isNotConflicting(Operation *, OpOperand *, OpOperand *,
                        const AnalysisState &) const {
    return false;
  }
  LogicalResult verifyAnalysis(Operation *, const AnalysisState &) const {
    return success();
  }
  bool isRepetitiveRegion(Operation *, unsigned) const { return false; }
  bool isParallelRegion(Operation *, unsigned) const { return false; }
  bool hasTensorSemantics(Operation *op) const {
    return op->getNumResults() > 0;
  }
  static bool supportsUnstructuredControlFlow() { return false; }

#if LLVM_VERSION_MAJOR >= 22
  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysis,
                                 const BufferizationState &state) const {
    return cast<BufferizableOpInterface>(op).resolveTensorOpOperandConflicts(
        rewriter, analysis, state);
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    return bufferization::detail::defaultGetBufferType(value, options, state,
                                                       stack);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return onBuffers(op, rewriter, [&](Value value) {
      return getBuffer(rewriter, value, options, state);
    });
  }
#else
  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysis) const {
    return cast<BufferizableOpInterface>(op).resolveTensorOpOperandConflicts(
        rewriter, analysis);
  }
  FailureOr<BaseMemRefType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &options,
                                          SmallVector<Value> &stack) const {
    return bufferization::detail::defaultGetBufferType(value, options, stack);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options) const {
    return onBuffers(op, rewriter, [&](Value value) {
      return getBuffer(rewriter, value, options);
    });
  }
#endif

private:
  /// The op on buffers: no results, and all else as it is.
  static LogicalResult
  onBuffers(Operation *op, RewriterBase &rewriter,
            function_ref<FailureOr<Value>(Value)> bufferOf) {
    rewriter.setInsertionPoint(op);
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = bufferOf(operand);
      if (failed(buffer))
        return failure();
      state.addOperands(*buffer);
    }
    state.addAttributes(op->getAttrs());
    state.attributes.set("resultSegmentSizes",
                         rewriter.getDenseI32ArrayAttr({0, 0, 0, 0}));
    Region *body = state.addRegion();
    rewriter.inlineRegionBefore(op->getRegion(0), *body, body->end());
    Operation *made = rewriter.create(state);
    replaceOpWithBufferizedValues(
        rewriter, op, made->getOperands().take_back(op->getNumResults()));
    return success();
  }
};
} // namespace

void gs::attachBufferization(MLIRContext *context) {
  auto name = RegisteredOperationName::lookup("gs.generic", context);
  name->attachInterface<Destinations, Bufferization>();
}
