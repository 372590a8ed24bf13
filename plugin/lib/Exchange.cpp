//===- Exchange.cpp - IR to gs-opt and back -------------------------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is in the generic form, with locations: all versions of MLIR read
// each other's, which they do not of bytecode.
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "Server.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include <limits>

using namespace mlir;
using llvm::json::Object;

static std::string printed(Operation *op) {
  OpPrintingFlags flags;
  // The flags of a command line, which are for people, do not shorten this.
  flags.printGenericOpForm().enableDebugInfo(true, false).assumeVerified();
  flags.skipRegions(false);
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  flags.elideLargeResourceString(std::numeric_limits<int64_t>::max());
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, flags);
  stream << "\n";
  return text;
}

/// `loc(...)`; a location that does not parse here is `otherwise`.
static Location locationOf(const Object &said, Location otherwise) {
  MLIRContext *context = otherwise.getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  Attribute found =
      parseAttribute(said.getString("location").value_or(""), context);
  auto location = dyn_cast_or_null<LocationAttr>(found);
  return location ? Location(location) : otherwise;
}

static void emit(const Object &said, Location otherwise) {
  MLIRContext *context = otherwise.getContext();
  Location location = locationOf(said, otherwise);
  StringRef severity = *said.getString("severity");
  InFlightDiagnostic diagnostic = severity == "error" ? emitError(location)
                                  : severity == "warning"
                                      ? emitWarning(location)
                                      : emitRemark(location);
  diagnostic << *said.getString("message");
  for (const llvm::json::Value &each : *said.getArray("notes")) {
    const Object &note = *each.getAsObject();
    StringRef message = *note.getString("message");
    if (!message.starts_with("see current operation:") ||
        context->shouldPrintOpOnDiagnostic())
      diagnostic.attachNote(locationOf(note, location)) << message;
  }
}

/// A declaration of each symbol that `op`, a function outside of a module,
/// refers to, as it uses it: another thread may be changing the symbol itself.
static void declareUses(Operation *op, ModuleOp module) {
  llvm::StringSet<> known;
  known.insert(SymbolTable::getSymbolName(op).getValue());
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto declare = [&](Operation *use, StringRef attribute, StringRef kind,
                     StringRef typeName, Type type) {
    auto symbol = use->getAttrOfType<FlatSymbolRefAttr>(attribute);
    if (!symbol || !known.insert(symbol.getValue()).second)
      return;
    OperationState state(use->getLoc(), kind);
    state.addAttribute("sym_name", symbol.getAttr());
    state.addAttribute("sym_visibility", builder.getStringAttr("private"));
    state.addAttribute(typeName, TypeAttr::get(type));
    if (kind == "func.func")
      state.addRegion();
    builder.create(state);
  };
  op->walk([&](Operation *use) {
    StringRef name = use->getName().getStringRef();
    if (name == "func.call")
      declare(use, "callee", "func.func", "function_type",
              builder.getFunctionType(use->getOperandTypes(),
                                      use->getResultTypes()));
    else if (name == "func.constant")
      declare(use, "value", "func.func", "function_type",
              use->getResult(0).getType());
    else if (name == "memref.get_global")
      declare(use, "name", "memref.global", "type",
              use->getResult(0).getType());
  });
}

/// The text of a module with `op`, and the names that it declares.
static std::string moduleText(Operation *op, llvm::StringSet<> &declared) {
  if (isa<ModuleOp>(op))
    return printed(op);
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  declareUses(op, *module);
  for (Operation &each : module->getBody()->getOperations())
    declared.insert(SymbolTable::getSymbolName(&each).getValue());
  module->push_back(op->clone());
  return printed(*module);
}

static OwningOpRef<ModuleOp> parsed(StringRef text, Location location,
                                    StringRef pipeline) {
  MLIRContext *context = location.getContext();
  std::string why;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) {
      if (why.empty())
        why = diagnostic.str();
      return success();
    });
    // The pass manager verifies.
    ParserConfig config(context, /*verifyAfterParse=*/false);
    module = parseSourceString<ModuleOp>(text, config);
  }
  if (!module)
    emitError(location) << "this program (LLVM " LLVM_VERSION_STRING
                           ") does not read what gs-opt (LLVM "
                        << gs::Server::get().version() << ") made with '"
                        << pipeline << "': " << why;
  return module;
}

/// Put what `made` holds into `op`, with its attributes.
static void replace(Operation *op, Operation *made) {
  op->setAttrs(made->getAttrDictionary());
  op->setLoc(made->getLoc());
  op->getRegion(0).takeBody(made->getRegion(0));
}

LogicalResult gs::runOn(Operation *op, StringRef pipeline) {
  llvm::StringSet<> declared;
  std::string text = moduleText(op, declared);
  Answer answer = Server::get().run(pipeline, text);
  for (const llvm::json::Value &each : answer.diagnostics)
    emit(*each.getAsObject(), op->getLoc());
  if (!answer.error.empty())
    return emitError(op->getLoc()) << answer.error;
  if (answer.failed)
    return failure();
  OwningOpRef<ModuleOp> module = parsed(answer.module, op->getLoc(), pipeline);
  if (!module)
    return failure();
  if (isa<ModuleOp>(op)) {
    replace(op, *module);
    return success();
  }
  Operation *made = nullptr;
  for (Operation &each : module->getBody()->getOperations()) {
    StringAttr name = SymbolTable::getSymbolName(&each);
    if (name == SymbolTable::getSymbolName(op))
      made = &each;
    else if (!declared.contains(name.getValue()))
      return emitError(op->getLoc())
             << "'" << pipeline << "' adds '@" << name.getValue()
             << "' to the module: run it on builtin.module";
  }
  if (!made)
    return emitError(op->getLoc())
           << "'" << pipeline << "' removes the function"
           << ": run it on builtin.module";
  replace(op, made);
  return success();
}
