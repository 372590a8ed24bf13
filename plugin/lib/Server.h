//===- Server.h - The gs-opt process behind the passes ----------*- C++ -*-===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRGS_LIB_SERVER_H
#define MLIRGS_LIB_SERVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <mutex>
#include <string>
#include <sys/types.h>

namespace gs {

/// What gs-opt made of one request.
struct Answer {
  /// Why there is no result, in one sentence; empty where `diagnostics` say it.
  std::string error;
  bool failed = false;
  llvm::json::Array diagnostics;
  std::string module;
};

/// One gs-opt for the whole process. It is started when it is first needed,
/// and again after it has crashed.
class Server {
public:
  static Server &get();
  ~Server();

  /// Run `pipeline` on `module`, a text in the generic form; an empty one only
  /// checks the pipeline. Waits for requests of other threads.
  Answer run(llvm::StringRef pipeline, llvm::StringRef module);

  /// The version of MLIR that gs-opt runs, empty before it has started.
  std::string version();

private:
  Server() = default;
  std::string start();
  void stop();
  std::string ended(const std::string &when);
  bool send(llvm::StringRef data);
  bool receive(llvm::json::Object &head, std::string &data);

  std::mutex mutex;
  pid_t process = -1;
  pid_t owner = -1;
  int channel = -1;
  int lifeline = -1;
  std::string mlir;
  std::string buffer;
};

/// The table that gs-opt printed when this library was built.
const llvm::json::Object &table();

} // namespace gs

#endif // MLIRGS_LIB_SERVER_H
