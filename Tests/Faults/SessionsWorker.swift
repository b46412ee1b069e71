import ArgumentParser
import Glibc
import Herald
import TestSupport

/// The process of `Sessions`: several sessions that write at once, each its own counter and a shared one.
struct SessionsWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions-worker", shouldDisplay: false)

  /// The number of sessions.
  static let sessions = 6
  /// The number of commits of each.
  static let steps = 40

  @Argument var path: String

  /// A session on its way to the thread that will own it.
  private struct Handed: @unchecked Sendable { let store: DynamicStore }

  static let counter = ClassDefinition(
    name: "Counter",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "n", element: .int, defaultValue: .value(.int(0))),
      .init(name: "tag", element: .int, isIndexed: true, defaultValue: .value(.int(0))),
      .init(name: "text", element: .string, isOptional: true),
      .init(name: "next", element: .link("Counter")),
    ])

  func run() throws {
    let store = try DynamicStore(path: path)
    try store.declare(Self.counter)
    try store.write {
      for id in 0...Self.sessions { _ = try store.add("Counter", [("id", .value(.int(id)))]) }
    }
    Self.say("begun 0 0")
    let threads = try (1...Self.sessions).map { number in
      let handed = Handed(store: try store.newSession(named: "\(number)"))
      return JoinableThread { try Self.work(handed.store, number) }
    }
    for thread in threads { thread.join() }
    store.close()
  }

  /// Commits the steps, and prints each one that is acknowledged; tries a failed one again, a few times.
  private static func work(_ store: DynamicStore, _ number: Int) throws {
    var failures = 0
    var step = 1
    while step <= steps, failures < 3 {
      do {
        try store.write { try change(store, number, step) }
        say("done \(number) \(step)")
        step += 1
      } catch {
        say("failed \(number) \(step)")
        failures += 1
      }
    }
    store.close()
  }

  private static func change(_ store: DynamicStore, _ number: Int, _ step: Int) throws {
    guard let own = try store.object("Counter", key: .int(number)),
      let shared = try store.object("Counter", key: .int(0)),
      case .int(let sum) = try shared.value("n")
    else { throw ExitCode(3) }
    try own.set("n", to: .value(.int(step)))
    try shared.set("n", to: .value(.int(sum + 1)))
    switch (step + number) % 10 {
    case 0:
      let text = String(repeating: "x", count: 700 * (step % 9))
      try own.set("text", to: .value(.string(text)))
    // A write that changes a link, or an indexed value, continues in a transaction of its own.
    case 1: try own.set("next", to: .value(.link(shared.id)))
    case 3: try own.set("tag", to: .value(.int(step)))
    case 2: _ = try store.add("Counter", [("id", .value(.int(number * 1000 + step)))])
    default: break
    }
  }

  /// Writes a line in one call.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
