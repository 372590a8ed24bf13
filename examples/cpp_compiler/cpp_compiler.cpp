// A compiler in C++: it builds tensor.gather and linalg.mul, lets gs make one
// loop nest of them, lowers that with MLIR's own passes, and runs it.
//
// For each of n ids, a row of a table, scaled by the id's weights:
//
//   result[n, k] = table[ids[n], k] * weights[n, k]

#include "MlirGs/MlirGs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/MemRefUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace mlir;

static constexpr int64_t kRows = 100, kColumns = 24, kIds = 1000;

static OwningOpRef<ModuleOp> build(MLIRContext &context) {
  Location here = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(here);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  Type f32 = builder.getF32Type();
  auto table = RankedTensorType::get({kRows, kColumns}, f32);
  auto ids = RankedTensorType::get({kIds, 1}, builder.getIndexType());
  auto scaled = RankedTensorType::get({kIds, kColumns}, f32);
  auto type = builder.getFunctionType({table, ids, scaled}, {scaled});

  auto function = func::FuncOp::create(here, "scaled_rows", type);
  module->push_back(function);
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    builder.getUnitAttr());
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  // The forms of `create` differ between versions of MLIR; this one is in all.
  OperationState gather(here, tensor::GatherOp::getOperationName());
  gather.addOperands({entry->getArgument(0), entry->getArgument(1)});
  gather.addAttribute("gather_dims", builder.getDenseI64ArrayAttr({0}));
  gather.addTypes(scaled);
  Value rows = builder.create(gather)->getResult(0);
  OperationState empty(here, tensor::EmptyOp::getOperationName());
  empty.addTypes(scaled);
  Value init = builder.create(empty)->getResult(0);
  ImplicitLocOpBuilder at(here, builder);
  auto product = at.create<linalg::MulOp>(
      ValueRange{rows, entry->getArgument(2)}, ValueRange{init});
  OperationState end(here, func::ReturnOp::getOperationName());
  end.addOperands(product->getResults());
  builder.create(end);
  return module;
}

static LogicalResult compile(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(gs::createPass("convert-tensor-to-gs,gs-optimize"));
  // Passes by name, those of gs beside those of this program's MLIR.
  if (failed(gs::addPipeline(manager, "gs-bufferize,convert-gs-to-scf,"
                                      "canonicalize,cse")))
    return failure();
  if (failed(parsePassPipeline(
          "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
          "convert-vector-to-llvm,finalize-memref-to-llvm,"
          "convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
          "convert-cf-to-llvm,reconcile-unrealized-casts",
          manager)))
    return failure();
  return manager.run(module);
}

int main() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  gs::registerDialect(registry);
  MLIRContext context(registry);
  context.loadDialect<func::FuncDialect, linalg::LinalgDialect,
                      tensor::TensorDialect, LLVM::LLVMDialect>();

  OwningOpRef<ModuleOp> module = build(context);
  if (failed(verify(*module)) || failed(compile(*module)))
    return 1;

  auto engine = ExecutionEngine::create(*module);
  if (!engine) {
    llvm::errs() << engine.takeError() << "\n";
    return 1;
  }

  std::vector<float> table(kRows * kColumns), weights(kIds * kColumns);
  std::vector<int64_t> ids(kIds);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<float>(i) * 0.5f;
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(i % 13) - 6.0f;
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int64_t>(i * 37 % kRows);

  StridedMemRefType<float, 2> a{
      table.data(), table.data(), 0, {kRows, kColumns}, {kColumns, 1}};
  StridedMemRefType<int64_t, 2> b{ids.data(), ids.data(), 0, {kIds, 1}, {1, 1}};
  StridedMemRefType<float, 2> c{
      weights.data(), weights.data(), 0, {kIds, kColumns}, {kColumns, 1}};
  StridedMemRefType<float, 2> r{};
  void *result = &r, *first = &a, *second = &b, *third = &c;
  SmallVector<void *> arguments = {&result, &first, &second, &third};
  if (llvm::Error error = (*engine)->invokePacked("_mlir_ciface_scaled_rows",
                                                  arguments)) {
    llvm::errs() << error << "\n";
    return 1;
  }

  int64_t wrong = 0;
  for (int64_t n = 0; n < kIds; ++n)
    for (int64_t k = 0; k < kColumns; ++k)
      wrong += r.data[n * kColumns + k] !=
               table[ids[n] * kColumns + k] * weights[n * kColumns + k];
  std::free(r.basePtr);
  std::printf("%lld of %lld numbers are as in a loop\n",
              static_cast<long long>(kIds * kColumns - wrong),
              static_cast<long long>(kIds * kColumns));
  return wrong != 0;
}
