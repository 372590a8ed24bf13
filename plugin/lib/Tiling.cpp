//===- Tiling.cpp - gs.generic in transforms of tiles ---------------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is asked is read from the op's maps. gs-tile does what tiles would
// need beyond slices of operands; here it is refused.
//
//===----------------------------------------------------------------------===//

#include "Interfaces.h"
#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR >= 22
#include "Generic.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using gs::Generic;

namespace {
/// Where one operand lies in a tile.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// Tiles of parallel dims, each of which stands alone wherever it is used.
struct Tiling : TilingInterface::FallbackModel<Tiling> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    SmallVector<utils::IteratorType> found;
    for (Attribute each : op->getAttrOfType<ArrayAttr>("iterator_types"))
      found.push_back(
          *utils::symbolizeIteratorType(cast<StringAttr>(each).getValue()));
    return found;
  }

  /// The extent of a dim is the least size that it addresses alone.
  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    Generic generic(op);
    SmallVector<SmallVector<OpFoldResult>> extents(generic.rank());
    forEachPlainDim(
        generic, [&](unsigned dim, unsigned operand, unsigned position) {
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
      domain.push_back(
          {builder.getIndexAttr(0), least, builder.getIndexAttr(1)});
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
      auto made =
          tensor::ExtractSliceOp::create(builder, op->getLoc(), operand.get(),
                                         slice.offsets, slice.sizes, strides);
      tiles.push_back(made);
      slices.push_back(made);
      if (generic.isOutput(number))
        types.push_back(made.getType());
    }
    Operation *tiled = clone(builder, op, types, tiles);
    return TilingResult{
        {tiled}, SmallVector<Value>(tiled->getResults()), slices};
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
  bool
  isOpFusableWithProducerSlices(Operation *, ArrayRef<unsigned>,
                                ArrayRef<SmallVector<OpFoldResult>>,
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
    slice.sizes = tensor::getMixedSizes(builder, generic.op->getLoc(), value);
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
} // namespace
#endif

void gs::attachTiling(mlir::MLIRContext *context) {
#if LLVM_VERSION_MAJOR >= 22
  auto name = RegisteredOperationName::lookup("gs.generic", context);
  name->attachInterface<Tiling>();
#endif
}
