//===- Server.cpp - The gs-opt process behind the passes ------------------===//
//
// Part of mlir-gs, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server.h"
#include "Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gs;

extern char **environ;

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

const llvm::json::Object &gs::table() {
  static const llvm::json::Value parsed =
      llvm::cantFail(llvm::json::parse(MLIRGS_TABLE));
  return *parsed.getAsObject();
}

Server &Server::get() {
  static Server server;
  return server;
}

Server::~Server() { stop(); }

/// The program to run: the user's, the one this library was built with, or the
/// first on PATH; empty where there is none.
static std::string program() {
  if (const char *given = std::getenv("MLIR_GS_OPT"))
    return given;
  if (llvm::sys::fs::can_execute(MLIRGS_OPT))
    return MLIRGS_OPT;
  auto found = llvm::sys::findProgramByName("gs-opt");
  return found ? *found : "";
}

/// A copy of `number` above the standard streams, which no child inherits.
static int guarded(int number) {
  int copy = fcntl(number, F_DUPFD_CLOEXEC, 10);
  close(number);
  return copy;
}

std::string Server::start() {
  std::string path = program();
  if (!llvm::sys::fs::can_execute(path))
    return path.empty() ? "gs-opt is not on PATH (MLIR_GS_OPT names another)"
                        : "cannot run '" + path + "' as gs-opt (MLIR_GS_OPT)";
  int ends[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return std::string("no socket for gs-opt: ") + std::strerror(errno);
  if (pipe(pipes) != 0) {
    close(ends[0]), close(ends[1]);
    return std::string("no pipe for gs-opt: ") + std::strerror(errno);
  }
  owner = getpid();
  channel = guarded(ends[0]), lifeline = guarded(pipes[1]);
  int theirs = guarded(ends[1]), alive = guarded(pipes[0]);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(channel, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs, 1);
  posix_spawn_file_actions_adddup2(&actions, alive, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Ctrl-C goes to the host, which decides what ends.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const char *arguments[] = {path.c_str(), "--isolate=false", "--serve=3",
                             nullptr};
  int failure = posix_spawn(&process, path.c_str(), &actions, &attributes,
                            const_cast<char **>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(theirs), close(alive);
  if (failure != 0) {
    process = -1;
    stop();
    return "cannot run '" + path + "' as gs-opt: " + std::strerror(failure);
  }

  llvm::json::Object hello;
  std::string none;
  if (!receive(hello, none))
    return process < 0 ? "'" + path + "' does not answer as gs-opt"
                       : ended("before it answered");
  llvm::StringRef built = *table().getString("version");
  llvm::StringRef version = hello.getString("version").value_or("another tool");
  mlir = hello.getString("llvm").value_or("").str();
  if (version == built)
    return "";
  stop();
  return "this plugin was built for mlir-gs " + built.str() + ", and '" + path +
         "' is of " + version.str() + ": build the plugin again";
}

void Server::stop() {
  for (int *each : {&channel, &lifeline}) {
    if (*each >= 0)
      close(*each);
    *each = -1;
  }
  // A fork of the host has copies of these numbers, and no gs-opt.
  if (process > 0 && owner == getpid()) {
    kill(process, SIGKILL);
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  process = -1;
  buffer.clear();
}

/// The sentence about a process that has closed its end.
std::string Server::ended(const std::string &when) {
  int status = 0;
  // It closes its streams when it ends: the status is about to come.
  bool known = process > 0 && waitpid(process, &status, 0) == process;
  if (known)
    process = -1;
  stop();
  std::string how;
  if (known && WIFSIGNALED(status))
    how = std::string(" with signal ") + std::to_string(WTERMSIG(status)) +
          " (" + strsignal(WTERMSIG(status)) + ")";
  else if (known)
    how = " with exit code " + std::to_string(WEXITSTATUS(status));
  return "gs-opt ended" + how + " " + when;
}

bool Server::send(llvm::StringRef data) {
  while (!data.empty()) {
    ssize_t sent = ::send(channel, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    data = data.drop_front(sent);
  }
  return true;
}

/// A line of JSON, and as many bytes as it announces. False where there is none
/// any more, and where it is none: that process is ended here.
bool Server::receive(llvm::json::Object &head, std::string &data) {
  char block[1 << 16];
  size_t line = std::string::npos, wanted = 0;
  while (true) {
    if (line == std::string::npos) {
      line = buffer.find('\n');
      if (line != std::string::npos) {
        auto parsed =
            llvm::json::parse(llvm::StringRef(buffer).take_front(line));
        if (!parsed || !parsed->getAsObject()) {
          llvm::consumeError(parsed.takeError());
          stop();
          return false;
        }
        head = std::move(*parsed->getAsObject());
        wanted = line + 1 + head.getInteger("bytes").value_or(0);
        buffer.reserve(wanted);
      }
    }
    if (line != std::string::npos && buffer.size() >= wanted) {
      data = buffer.substr(line + 1, wanted - line - 1);
      buffer.erase(0, wanted);
      return true;
    }
    ssize_t received = recv(channel, block, sizeof(block), 0);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      return false;
    buffer.append(block, received);
  }
}

std::string Server::version() {
  std::lock_guard<std::mutex> guard(mutex);
  return mlir;
}

Answer Server::run(llvm::StringRef pipeline, llvm::StringRef module) {
  std::lock_guard<std::mutex> guard(mutex);
  Answer answer;
  if (channel < 0)
    answer.error = start();
  if (!answer.error.empty()) {
    answer.failed = true;
    return answer;
  }
  llvm::json::Object request{{"pipeline", llvm::json::fixUTF8(pipeline)},
                             {"bytes", int64_t(module.size())}};
  std::string line;
  llvm::raw_string_ostream(line)
      << llvm::json::Value(std::move(request)) << "\n";
  llvm::json::Object head;
  if (!send(line) || !send(module) || !receive(head, answer.module)) {
    answer.failed = true;
    answer.error = process < 0 ? "gs-opt gave an answer that cannot be read"
                               : ended("while it ran '" + pipeline.str() + "'");
    return answer;
  }
  if (auto *found = head.getArray("diagnostics"))
    answer.diagnostics = std::move(*found);
  auto step = head.getString("failed");
  answer.failed = step.has_value();
  answer.error = head.getString("error").value_or("").str();
  if (step && *step == "reading") {
    // What it does not read lies in a text that nobody else sees.
    for (const llvm::json::Value &each : answer.diagnostics)
      if (answer.error.empty())
        answer.error = each.getAsObject()->getString("message")->str();
    answer.diagnostics.clear();
    answer.error = "gs-opt (LLVM " + mlir +
                   ") does not read what this program " +
                   "(LLVM " LLVM_VERSION_STRING ") printed: " + answer.error;
  }
  return answer;
}
