//===- Dialect.cpp - gs from its IRDL -------------------------------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interfaces.h"
#include "MlirGs/MlirGs.h"
#include "Server.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/IRDL/IRDLLoading.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

namespace {
/// gs.yield: IRDL cannot say that an op ends its block.
class YieldOp
    : public Op<YieldOp, OpTrait::ZeroRegions, OpTrait::ZeroResults,
                OpTrait::ZeroSuccessors, OpTrait::AtLeastNOperands<1>::Impl,
                OpTrait::IsTerminator, MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(YieldOp)
  using Op::Op;

  static constexpr StringLiteral getOperationName() {
    return StringLiteral("gs.yield");
  }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}
};
} // namespace

static Dialect *load(MLIRContext *context) {
  if (Dialect *loaded = context->getLoadedDialect("gs"))
    return loaded;
  context->getOrLoadDialect<irdl::IRDLDialect>();
  StringRef text = *gs::table().getString("irdl");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    llvm::report_fatal_error("mlir-gs: the IRDL of gs does not parse");
  // gs.yield is registered below, and LLVM 19 has other names for the sizes of
  // several variadic operands: it leaves such ops to the verifiers of gs-opt.
  SmallVector<StringRef> unchecked;
  module->walk([&](irdl::OperationOp op) {
    bool isYield = op.getSymName() == "yield";
    auto operands = op.getOps<irdl::OperandsOp>();
    if (LLVM_VERSION_MAJOR < 20 && !isYield && !operands.empty() &&
        llvm::count_if((*operands.begin()).getVariadicity(), [](auto each) {
          return each.getValue() != irdl::Variadicity::single;
        }) > 1)
      unchecked.push_back(op.getSymNameAttr());
    else if (!isYield)
      return;
    op.erase();
  });
  if (failed(irdl::loadDialects(*module)))
    llvm::report_fatal_error("mlir-gs: the IRDL of gs does not load");
  Dialect *loaded = context->getLoadedDialect("gs");
  RegisteredOperationName::insert<YieldOp>(*loaded);
  auto accept = [](Operation *) { return success(); };
  for (StringRef name : unchecked) {
    auto *extensible = cast<ExtensibleDialect>(loaded);
    extensible->registerDynamicOp(
        DynamicOpDefinition::get(name, extensible, accept, accept));
  }
  gs::attachInterfaces(context);
  return loaded;
}

void gs::registerDialect(DialectRegistry &registry) {
  registry.insert<irdl::IRDLDialect>();
  registry.insert(TypeID::get<YieldOp>(), "gs", load);
}
