import Glibc
import Herald
package import TestModel

/// A message from the process with the twin.
package enum ModelRequest: Codable {
  case command(ModelCommand)
  case answer(ModelAnswer)
}

/// A message from the process with the session.
package enum ModelResponse: Codable {
  case call(ModelCall)
  case reply(ModelReply)
}

/// A session of the twin in a separate process: it receives commands on standard input, one at a time, and
/// replies to each. While it performs one, its callbacks wait for their answers, before which more commands
/// may come.
final class SessionService {
  private let channel = LineChannel(reading: STDIN_FILENO, writing: STDOUT_FILENO)
  private let store: DynamicStore
  private lazy var servant = LibrarySession(store) { [unowned self] in ask($0) }

  init(path: String) throws { store = try DynamicStore(path: path) }

  /// Performs commands until the input ends.
  func run() throws {
    do {
      try channel.send(ModelResponse.reply(.done(version: store.version)))
      while true { try serve() }
    } catch is LineChannel.Silence {}
    store.close()
  }

  /// Performs the next command, and returns nil, or returns the answer to a callback.
  @discardableResult
  private func serve() throws -> ModelAnswer? {
    switch try channel.receive(ModelRequest.self) {
    case .answer(let answer): return answer
    case .command(let command):
      try channel.send(ModelResponse.reply(servant.perform(command)))
      return nil
    }
  }

  private func ask(_ call: ModelCall) -> ModelAnswer {
    do {
      try channel.send(ModelResponse.call(call))
      while true {
        if let answer = try serve() { return answer }
      }
    } catch {
      // The other process has ended.
      exit(1)
    }
  }
}
