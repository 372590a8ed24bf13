//===- Structured.cpp - gs.generic in one-shot-bufferize and transforms ---===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is asked is read from the op's maps. What tiles would have to do
// beyond slices of operands is refused: gs-tile does that.
//
//===----------------------------------------------------------------------===//

#include "Interfaces.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {
/// A gs.generic that has been verified: its operands are inputs, indices and
/// outputs, in this order.
struct Generic {
  explicit Generic(Operation *op) : op(op) {
    auto taken = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    for (auto [slot, count] : llvm::enumerate(taken.asArrayRef()))
      (slot < 8 ? inputs : slot < 16 ? indices : outputs) += count;
  }

  bool isOutput(unsigned operand) const { return operand >= inputs + indices; }
  unsigned rank() const {
    return op->getAttrOfType<ArrayAttr>("iterator_types").size();
  }

  /// The map of an operand; an index operand has one for each symbol that is
  /// read from it.
  SmallVector<AffineMap> maps(unsigned operand) const {
    SmallVector<AffineMap> found;
    auto maps = op->getAttrOfType<ArrayAttr>("indexing_maps");
    if (operand < inputs) {
      found.push_back(cast<AffineMapAttr>(maps[operand]).getValue());
    } else if (isOutput(operand)) {
      found.push_back(cast<AffineMapAttr>(maps[operand - indices]).getValue());
    } else {
      auto read = op->getAttrOfType<ArrayAttr>("coordinate_maps");
      for (Attribute map : cast<ArrayAttr>(read[operand - inputs]))
        found.push_back(cast<AffineMapAttr>(map).getValue());
    }
    return found;
  }

  Operation *op;
  unsigned inputs = 0, indices = 0, outputs = 0;
};

struct Destinations
    : DestinationStyleOpInterface::FallbackModel<Destinations> {
  MutableOperandRange getDpsInitsMutable(Operation *op) const {
    Generic generic(op);
    return MutableOperandRange(op, generic.inputs + generic.indices,
                               generic.outputs);
  }
};

/// Outputs are read and written in place, all else is read.
struct Bufferization
    : BufferizableOpInterface::FallbackModel<Bufferization> {
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
    return bufferization::detail::defaultResultBufferizesToMemoryWrite(result, state);
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
    return cast<BufferizableOpInterface>(op)
        .resolveTensorOpOperandConflicts(rewriter, analysis, state);
  }
  FailureOr<BufferLikeType>
  getBufferType(Operation *, Value value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &stack) const {
    return bufferization::detail::defaultGetBufferType(value, options, state, stack);
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
    return cast<BufferizableOpInterface>(op)
        .resolveTensorOpOperandConflicts(rewriter, analysis);
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

#if LLVM_VERSION_MAJOR >= 22
/// Where one operand lies in a tile.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// Tiles of parallel dims, each of which stands alone wherever it is used.
struct Tiling : TilingInterface::FallbackModel<Tiling> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    SmallVector<utils::IteratorType> found;
    for (Attribute each : op->getAttrOfType<ArrayAttr>("iterator_types"))
      found.push_back(*utils::symbolizeIteratorType(
          cast<StringAttr>(each).getValue()));
    return found;
  }

  /// The extent of a dim is the least size that it addresses alone.
  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    Generic generic(op);
    SmallVector<SmallVector<OpFoldResult>> extents(generic.rank());
    forEachPlainDim(generic, [&](unsigned dim, unsigned operand,
                                 unsigned position) {
      OpFoldResult size = tensor::getMixedSize(
          builder, op->getLoc(), op->getOperand(operand), position);
      if (!llvm::is_contained(extents[dim], size))
        extents[dim].push_back(size);
    });
    SmallVector<Range> domain;
    for (SmallVector<OpFoldResult> &sizes : extents) {
      OpFoldResult least = affine::makeComposedFoldedAffineMin(
          builder, op->getLoc(),
          AffineMap::getMultiDimIdentityMap(sizes.size(), op->getContext()),
          sizes);
      domain.push_back({builder.getIndexAttr(0), least,
                        builder.getIndexAttr(1)});
    }
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    Generic generic(op);
    if (op->getNumResults() == 0)
      return op->emitError(
          "'gs.generic' op is on memrefs: tiles are cut from tensors");
    SmallVector<Range> domain = getIterationDomain(op, builder);
    llvm::SmallBitVector cut(generic.rank());
    for (unsigned dim = 0; dim < generic.rank(); ++dim)
      cut[dim] = !isConstantIntValue(offsets[dim], 0) ||
                 !isEqualConstantIntOrValue(sizes[dim], domain[dim].size);
    if (failed(check(generic, cut)))
      return failure();
    SmallVector<Value> tiles;
    SmallVector<Operation *> slices;
    SmallVector<Type> types;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      Slice slice = sliceOf(generic, number, builder, offsets, sizes, cut);
      SmallVector<OpFoldResult> strides(slice.sizes.size(),
                                        builder.getIndexAttr(1));
      auto made = tensor::ExtractSliceOp::create(builder, op->getLoc(),
                                                 operand.get(), slice.offsets,
                                                 slice.sizes, strides);
      tiles.push_back(made);
      slices.push_back(made);
      if (generic.isOutput(number))
        types.push_back(made.getType());
    }
    Operation *tiled = clone(builder, op, types, tiles);
    return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()),
                        slices};
  }

  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &builder, unsigned result,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    Generic generic(op);
    llvm::SmallBitVector all(generic.rank(), true);
    Slice slice = sliceOf(generic, generic.inputs + generic.indices + result,
                          builder, offsets, sizes, all);
    resultOffsets = slice.offsets, resultSizes = slice.sizes;
    return success();
  }

  /// For a consumer that takes a tile of the result: dims that the result does
  /// not show are whole.
  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &builder, unsigned result,
      ArrayRef<OpFoldResult> resultOffsets, ArrayRef<OpFoldResult> resultSizes,
      SmallVectorImpl<OpFoldResult> &offsets,
      SmallVectorImpl<OpFoldResult> &sizes) const {
    Generic generic(op);
    AffineMap map =
        generic.maps(generic.inputs + generic.indices + result).front();
    llvm::SmallDenseSet<AffineExpr> shown;
    for (AffineExpr each : map.getResults())
      if (!isa<AffineDimExpr>(each) || !shown.insert(each).second)
        return failure();
    for (const Range &range : getIterationDomain(op, builder)) {
      offsets.push_back(range.offset);
      sizes.push_back(range.size);
    }
    for (auto [position, each] : llvm::enumerate(map.getResults())) {
      unsigned dim = cast<AffineDimExpr>(each).getPosition();
      offsets[dim] = resultOffsets[position];
      sizes[dim] = resultSizes[position];
    }
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder, unsigned result,
                          ArrayRef<OpFoldResult> resultOffsets,
                          ArrayRef<OpFoldResult> resultSizes) const {
    SmallVector<OpFoldResult> offsets, sizes;
    if (failed(getIterationDomainTileFromResultTile(
            op, builder, result, resultOffsets, resultSizes, offsets, sizes)))
      return failure();
    FailureOr<TilingResult> tiled =
        getTiledImplementation(op, builder, offsets, sizes);
    if (succeeded(tiled))
      tiled->tiledValues = {tiled->tiledValues[result]};
    return tiled;
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *, OpBuilder &, ArrayRef<unsigned>,
      ArrayRef<SmallVector<OpFoldResult>>,
      ArrayRef<SmallVector<OpFoldResult>>) const {
    return failure();
  }
  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *, OpBuilder &, ArrayRef<unsigned>,
      ArrayRef<SmallVector<OpFoldResult>>, ArrayRef<SmallVector<OpFoldResult>>,
      SmallVectorImpl<OpFoldResult> &, SmallVectorImpl<OpFoldResult> &) const {
    return failure();
  }
  LogicalResult generateScalarImplementation(Operation *, OpBuilder &, Location,
                                             ValueRange) const {
    return failure();
  }
  bool isOpFusableWithConsumerSlice(Operation *, unsigned,
                                    ArrayRef<OpFoldResult>,
                                    ArrayRef<OpFoldResult>) const {
    return true;
  }
  bool isOpFusableWithProducerSlices(
      Operation *, ArrayRef<unsigned>, ArrayRef<SmallVector<OpFoldResult>>,
      ArrayRef<SmallVector<OpFoldResult>>) const {
    return false;
  }

private:
  static void forEachPlainDim(
      const Generic &generic,
      function_ref<void(unsigned dim, unsigned operand, unsigned position)>
          visit) {
    for (unsigned each = 0; each < generic.op->getNumOperands(); ++each)
      for (AffineMap map : generic.maps(each))
        for (auto [position, result] : llvm::enumerate(map.getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(result))
            visit(dim.getPosition(), each, position);
  }

  /// That slices of the operands are all that the tiles of these dims need.
  static LogicalResult check(const Generic &generic,
                             const llvm::SmallBitVector &cut) {
    auto refuse = [&](const Twine &why) {
      return generic.op->emitError("'gs.generic' op cannot be tiled in place: ")
             << why << "; gs-tile may do it";
    };
    if (cut.any() && gs::reportsErrors(generic.op))
      return refuse("mode error checks all coordinates first");
    auto iterators = generic.op->getAttrOfType<ArrayAttr>("iterator_types");
    for (unsigned dim : cut.set_bits())
      if (cast<StringAttr>(iterators[dim]).getValue() != "parallel")
        return refuse("dim " + Twine(dim) + " is a reduction");
    for (unsigned each = 0; each < generic.op->getNumOperands(); ++each) {
      SmallVector<AffineMap> maps = generic.maps(each);
      for (AffineMap map : maps)
        for (auto [position, result] : llvm::enumerate(map.getResults()))
          for (unsigned dim : cut.set_bits())
            if (result.isFunctionOfDim(dim) &&
                (!isa<AffineDimExpr>(result) ||
                 llvm::any_of(maps, [&, position = position](AffineMap other) {
                   return other.getResult(position) != map.getResult(position);
                 })))
              return refuse("operand " + Twine(each) + " uses dim " +
                            Twine(dim) + " in a sum, or in several ways");
      // Tiles write apart, also where loops run in parallel.
      for (unsigned dim : cut.set_bits())
        if (generic.isOutput(each) &&
            !llvm::is_contained(
                maps.front().getResults(),
                getAffineDimExpr(dim, generic.op->getContext())))
          return refuse("all tiles of dim " + Twine(dim) +
                        " write the whole of operand " + Twine(each));
    }
    return success();
  }

  static Slice sliceOf(const Generic &generic, unsigned operand,
                       OpBuilder &builder, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes,
                       const llvm::SmallBitVector &cut) {
    Slice slice;
    Value value = generic.op->getOperand(operand);
    slice.sizes =
        tensor::getMixedSizes(builder, generic.op->getLoc(), value);
    slice.offsets.assign(slice.sizes.size(), builder.getIndexAttr(0));
    for (AffineMap map : generic.maps(operand))
      for (auto [position, result] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(result);
            dim && cut[dim.getPosition()]) {
          slice.offsets[position] = offsets[dim.getPosition()];
          slice.sizes[position] = sizes[dim.getPosition()];
        }
    return slice;
  }

  static Operation *clone(OpBuilder &builder, Operation *op, TypeRange types,
                          ValueRange operands) {
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addTypes(types);
    state.addAttributes(op->getAttrs());
    IRMapping mapping;
    op->getRegion(0).cloneInto(state.addRegion(), mapping);
    return builder.create(state);
  }
};
#endif
} // namespace

void gs::attachStructured(MLIRContext *context) {
  auto name = RegisteredOperationName::lookup("gs.generic", context);
  name->attachInterface<Destinations, Bufferization>();
#if LLVM_VERSION_MAJOR >= 22
  name->attachInterface<Tiling>();
#endif
}
