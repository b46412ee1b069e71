import Glibc
import OtherProcess
import TestSupport

@testable import TestModel

/// A session of the twin in a process of its own (`SessionService`). It ends with its value.
final class RemoteSession: ModelLink {
  private let process: StartedProcess
  private let input: Int32
  private let output: Int32
  private let channel: LineChannel
  private let callBack: (ModelCall) -> ModelAnswer
  private var hasLeft = false
  /// The version that it was at when it had opened the store.
  private(set) var version = 0

  init(_ path: String, _ callBack: @escaping (ModelCall) -> ModelAnswer) throws {
    self.callBack = callBack
    let (toProcess, fromProcess) = (try Pipe(), try Pipe())
    (input, output) = (toProcess.writing, fromProcess.reading)
    defer {
      close(toProcess.reading)
      close(fromProcess.writing)
    }
    var child = ChildProcess(Self.program, [path, "session"])
    child.environment = ChildProcess.environment(home: "/tmp")
    child.duplicate(toProcess.reading, as: 0)
    child.duplicate(fromProcess.writing, as: 1)
    process = try child.start()
    channel = LineChannel(
      reading: output, writing: input, patience: StartedProcess.patience)
    if case .done(let version) = try hearReply() { self.version = version }
  }

  deinit { leave() }

  private static var program: String {
    let test = CommandLine.arguments[0]
    let folder = test.lastIndex(of: "/").map { test[..<$0] } ?? "."
    return folder + "/OtherProcess"
  }

  func perform(_ command: ModelCommand) throws -> ModelReply {
    try channel.send(ModelRequest.command(command))
    return try hearReply()
  }

  /// Answers calls back until the reply comes.
  private func hearReply() throws -> ModelReply {
    while true {
      switch try channel.receive(ModelResponse.self) {
      case .reply(let reply): return reply
      case .call(let call): try channel.send(ModelRequest.answer(callBack(call)))
      }
    }
  }

  /// Ends the process, which closes its store.
  func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    close(input)
    _ = process.end()
    close(output)
  }
}
