import Glibc
import Herald

/// What the process that has the twin says.
package enum TwinOrder: Codable {
  case command(TwinCommand)
  case answer(TwinAnswer)
}

/// What the process that has the session says.
package enum TwinWord: Codable {
  case call(TwinCall)
  case reply(TwinReply)
}

/// A session of the twin in a process of its own: commands come on standard input, one at a time, and
/// each waits for its reply; while one is carried out, calls back wait for their answers, and more
/// commands may come before these.
final class TwinService {
  private let channel = LineChannel(reading: STDIN_FILENO, writing: STDOUT_FILENO)
  private let store: Store
  private lazy var servant = TwinServant(store) { [unowned self] in ask($0) }

  init(path: String) throws { store = try Store(path: path) }

  /// Until there are no more commands.
  func run() throws {
    do {
      try channel.say(TwinWord.reply(.done(version: store.version)))
      while true { try serve() }
    } catch is LineChannel.Silence {}
    store.close()
  }

  /// Carries out what comes next; answers it where it is no command.
  @discardableResult
  private func serve() throws -> TwinAnswer? {
    switch try channel.hear(TwinOrder.self) {
    case .answer(let answer): return answer
    case .command(let command):
      try channel.say(TwinWord.reply(servant.perform(command)))
      return nil
    }
  }

  private func ask(_ call: TwinCall) -> TwinAnswer {
    do {
      try channel.say(TwinWord.call(call))
      while true {
        if let answer = try serve() { return answer }
      }
    } catch {
      // Nobody is left to ask.
      exit(1)
    }
  }
}
