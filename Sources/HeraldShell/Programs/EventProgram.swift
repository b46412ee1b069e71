import Glibc
import Herald

/// Runs a program once for each event of an observer, in order and one at a time, on a thread of its own. The event is a line
/// of JSON on its standard input.
///
///     states of the thread   has not begun → waits for an event ↔ runs the program ↔ waits to run it again → has ended
///
/// With a file that has a version, the version after an event is written once the program has ended with status 0, and the
/// program is run again until then: an event may come twice, and none is lost. Without one, each event is run once.
final class EventProgram: Sendable {
  /// What may come of the events that wait.
  private enum Phase {
    case open
    /// No more will come; those that wait are still run.
    case ending
    /// Those that wait are not run.
    case dropped
  }

  private struct Event {
    /// Nil for a version up to which there were none.
    let line: String?
    let version: Int
  }

  /// The words of the program and its arguments.
  private let words: [String]
  private let cursor: CursorFile?
  private let isOwnGroup: Bool
  private let sendsOutputToErrors: Bool
  /// Called, on the thread, after a failure.
  private let notify: @Sendable () -> Void

  private struct State {
    var events: [Event] = []
    var phase = Phase.open
    var isThreadRunning = false
    var failures: [String] = []
    /// The version in the file.
    var written: Int?

    mutating func removeFirst() { if !events.isEmpty { events.removeFirst() } }
  }

  private let state: Monitor<State>

  /// The number of events that wait before the session waits, too.
  private static let mostWaiting = 1_000
  /// From one question whether a wait is interrupted to the next, in seconds.
  private static let pause = 0.05
  /// Until the program is run again, in seconds: doubled after each failure.
  private static let (firstDelay, longestDelay) = (1.0, 60.0)
  /// After so many versions without an event the file has the last one.
  private static let versionsWithoutEvent = 64

  init(
    _ words: [String], _ cursor: CursorFile?, isOwnGroup: Bool, sendsOutputToErrors: Bool,
    notify: @escaping @Sendable () -> Void
  ) {
    self.words = words
    self.cursor = cursor
    self.isOwnGroup = isOwnGroup
    self.sendsOutputToErrors = sendsOutputToErrors
    self.notify = notify
    state = Monitor(State(written: cursor?.version))
  }
}

// MARK: The session

extension EventProgram {
  /// Adds an event. Waits while too many wait, until `isInterrupted` returns true.
  ///
  /// - Parameter version: that after the event.
  func append(_ line: String, version: Int, until isInterrupted: () -> Bool) {
    while !state.wait(Self.pause, until: { $0.events.count < Self.mostWaiting }), !isInterrupted() {
    }
    state.change { add(Event(line: line, version: version), to: &$0) }
  }

  /// Notes that there is no event up to a version. The file has it at the end, and now and then before.
  func advance(to version: Int, isAtEnd: Bool = false) {
    state.change { state in
      // An event stays among them until it is done.
      guard cursor != nil, state.events.isEmpty else { return }
      let distance = version - (state.written ?? version - Self.versionsWithoutEvent)
      if distance >= Self.versionsWithoutEvent || isAtEnd && distance > 0 {
        add(Event(line: nil, version: version), to: &state)
      }
    }
  }

  private func add(_ event: Event, to state: inout State) {
    guard state.phase == .open else { return }
    state.events.append(event)
    guard !state.isThreadRunning else { return }
    do throws(SystemThread.Failure) {
      // Signals are for other threads, and a program that does not read its input is an error of a write.
      try SystemThread(blocksSignals: true) { [self] in run() }.detach()
      state.isThreadRunning = true
    } catch {
      state.failures.append("no thread can be started")
    }
  }

  /// Lets those that wait be forgotten; a program that runs ends by itself.
  func drop() { state.change { $0.phase = .dropped } }

  /// Waits until the program has run for all events, or `isInterrupted` returns true.
  func finish(until isInterrupted: () -> Bool) {
    state.change { if $0.phase == .open { $0.phase = .ending } }
    while !state.wait(Self.pause, until: { !$0.isThreadRunning }), !isInterrupted() {}
  }

  /// Whether nothing more will run.
  var hasEnded: Bool {
    state.read { !$0.isThreadRunning && ($0.events.isEmpty || $0.phase == .dropped) }
  }

  /// The failures since the last call.
  func takeFailures() -> [String] {
    state.change { state in
      defer { state.failures = [] }
      return state.failures
    }
  }
}

// MARK: The thread

extension EventProgram {
  private func run() {
    var delay = Self.firstDelay
    while let event = next() {
      guard let failure = perform(event) else {
        delay = Self.firstDelay
        state.change {
          $0.written = cursor == nil ? nil : event.version
          $0.removeFirst()
        }
        continue
      }
      let isRunAgain = state.change { state in
        state.failures.append(failure + consequence(delay, &state))
        if cursor == nil { state.removeFirst() }
        return cursor != nil
      }
      notify()
      guard isRunAgain else { continue }
      wait(delay)
      delay = min(2 * delay, Self.longestDelay)
    }
  }

  /// The oldest event, which stays where it is; nil at the end.
  private func next() -> Event? {
    state.take(when: { !$0.events.isEmpty || $0.phase != .open }, body: { _ in })
    return state.change { state in
      if state.phase != .dropped, let event = state.events.first { return event }
      state.isThreadRunning = false
      return nil
    }
  }

  /// What a failure leads to, for its message.
  private func consequence(_ delay: Double, _ state: inout State) -> String {
    guard cursor != nil else { return "" }
    if state.phase == .open { return "; it is run again in \(Int(delay)) s" }
    state.phase = .dropped
    let count = state.events.count { $0.line != nil }
    return "; \(count) event\(count == 1 ? " comes" : "s come") again with the same file"
  }

  private func wait(_ delay: Double) { state.wait(delay, until: { $0.phase != .open }) }

  /// Runs the program, and writes the version; returns what has failed.
  private func perform(_ event: Event) -> String? {
    if let line = event.line, let failure = runProgram(line) { return failure }
    do {
      try cursor?.write(event.version, nil)
      return nil
    } catch { return "\((error as? HeraldError)?.message ?? "\(error)")" }
  }

  private func runProgram(_ line: String) -> String? {
    let name = "'\(words[0])'"
    let (child, input): (OtherProgram, Int32)
    do throws(OtherProgram.Failure) {
      (child, input) = try OtherProgram.reading(words, isOwnGroup: isOwnGroup) { actions in
        if sendsOutputToErrors {
          posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        }
      }
    } catch { return "cannot run \(name): \(String(cString: strerror(error.code)))" }
    Self.write(Array((line + "\n").utf8), to: input)
    close(input)
    switch child.end() {
    case 0: return nil
    case let status where status > 128: return "\(name) was ended by signal \(status - 128)"
    case let status: return "\(name) ended with status \(status)"
    }
  }

  /// Writes until the reader has all, or reads no more: its status says whether that was an error.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
