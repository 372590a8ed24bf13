//===- Passes.cpp - The passes of gs-opt as passes of the host ------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "MlirGs/MlirGs.h"
#include "Server.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassRegistry.h"
#include <mutex>

using namespace mlir;
using llvm::json::Object;

/// What is to be written in braces, and how an empty value is written.
static std::string spelled(StringRef value) {
  if (!value.empty() && value.find_first_of(" ,{}()='\"") == StringRef::npos)
    return value.str();
  if (value.starts_with("{") && value.ends_with("}"))
    return value.str();
  return ("{" + value + "}").str();
}

/// The entry of `gs`: its option is the pipeline.
static const Object &anyPipeline() {
  static const Object entry{
      {"name", "gs"},
      {"doc", "Run a pipeline of gs-opt: passes of gs and of upstream."},
      {"options",
       llvm::json::Array{Object{{"name", "pipeline"},
                                {"type", "str"},
                                {"default", "{}"},
                                {"help", "as for gs-opt --pass-pipeline"}}}}};
  return entry;
}

/// Load what may come back while no other thread runs. The table knows the
/// dialects by name, and the context those that the program has registered.
static void loadDialects(MLIRContext *context, BuiltinDialect *) {
  for (const llvm::json::Value &each : *gs::table().getArray("dialects"))
    context->getOrLoadDialect(*each.getAsString());
}

namespace {
/// A pass or pipeline of the table.
class GsPass : public OperationPass<> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GsPass)

  explicit GsPass(const Object &entry)
      : OperationPass(TypeID::get<GsPass>()), entry(entry) {
    for (const llvm::json::Value &each : *entry.getArray("options")) {
      const Object &option = *each.getAsObject();
      StringRef name = *option.getString("name");
      StringRef initial = *option.getString("default");
      StringRef help = *option.getString("help");
      if (*option.getString("type") == "bool")
        switches.push_back(std::make_unique<Option<bool>>(
            *this, name, llvm::cl::desc(help),
            llvm::cl::init(initial == "true")));
      else
        values.push_back(std::make_unique<Option<std::string>>(
            *this, name, llvm::cl::desc(help),
            llvm::cl::value_desc(*option.getString("type")),
            llvm::cl::init(initial.str())));
    }
  }
  GsPass(const GsPass &other) : GsPass(other.entry) {
    copyOptionValuesFrom(&other);
  }

  StringRef getArgument() const override { return *entry.getString("name"); }
  StringRef getName() const override { return getArgument(); }
  StringRef getDescription() const override { return *entry.getString("doc"); }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<GsPass>(*this);
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    StringRef op = name.getStringRef();
    return op == "builtin.module" || op == "func.func";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    gs::registerDialect(registry);
    registry.addExtension(loadDialects);
  }

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(Pass::initializeOptions(options, errorHandler)))
      return failure();
    for (auto &each : values)
      *each = spelled(each->getValue());
    if (options.trim().empty())
      return success();
    gs::Answer answer = gs::Server::get().run(pipeline(), "");
    return answer.failed ? errorHandler(answer.error) : success();
  }

  void setPipeline(StringRef text) { *values.front() = spelled(text); }

  void runOnOperation() override {
    if (failed(gs::runOn(getOperation(), pipeline())))
      signalPassFailure();
  }

private:
  /// The text that gs-opt gets: options that are at their defaults stay away.
  std::string pipeline() const {
    if (&entry == &anyPipeline()) {
      StringRef text = values.front()->getValue();
      if (text.consume_front("{"))
        text.consume_back("}");
      return text.str();
    }
    std::string given;
    auto add = [&](StringRef name, StringRef text) {
      given += (given.empty() ? "" : " ") + (name + "=" + text).str();
    };
    for (auto &each : values)
      if (each->getValue() != each->getDefault().getValue())
        add(each->ArgStr, each->getValue());
    for (auto &each : switches)
      if (each->getValue() != each->getDefault().getValue())
        add(each->ArgStr, each->getValue() ? "true" : "false");
    std::string name = getArgument().str();
    return given.empty() ? name : name + "{" + given + "}";
  }

  const Object &entry;
  std::vector<std::unique_ptr<Option<std::string>>> values;
  std::vector<std::unique_ptr<Option<bool>>> switches;
};
} // namespace

void gs::registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto add = [](const Object &entry) {
      registerPass([&entry] { return std::make_unique<GsPass>(entry); });
    };
    add(anyPipeline());
    for (const llvm::json::Value &each : *gs::table().getArray("passes"))
      add(*each.getAsObject());
  });
}

std::unique_ptr<Pass> gs::createPass(StringRef pipeline) {
  auto pass = std::make_unique<GsPass>(anyPipeline());
  pass->setPipeline(pipeline);
  return pass;
}

LogicalResult gs::addPipeline(OpPassManager &manager, StringRef pipeline,
                              raw_ostream &errors) {
  registerPasses();
  return parsePassPipeline(pipeline, manager, errors);
}
