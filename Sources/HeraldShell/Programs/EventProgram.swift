import Glibc
import Herald

/// Runs a program once for each event of an observer, in order and one at a time, on a thread of its own. The event is a line
/// of JSON on its standard input.
///
///     states of the thread   has not begun → waits for an event ↔ runs the program ↔ waits to run it again → has ended
///
/// With a file that has a version, the version after an event is written once the program has ended with status 0, and the
/// program is run again until then: an event may come twice, and none is lost. Without one, each event is run once.
///
/// Safe between threads: what changes is touched under `mutex`, and the two C values live at fixed addresses.
final class EventProgram: @unchecked Sendable {
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

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var events: [Event] = []
  private var phase = Phase.open
  private var isThreadRunning = false
  private var failures: [String] = []
  /// The version in the file.
  private var written: Int?

  /// The number of events that wait before the session waits, too.
  private static let mostWaiting = 1_000
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
    written = cursor?.version
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits until something changes, or for a time in seconds. The mutex is held.
  private func waitForChange(_ seconds: Double) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = time.tv_nsec + Int(seconds * 1e9)
    time.tv_sec += nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(change, mutex, &time)
  }
}

// MARK: The session

extension EventProgram {
  /// Adds an event. Waits while too many wait, until `isInterrupted` returns true.
  ///
  /// - Parameter version: that after the event.
  func append(_ line: String, version: Int, until isInterrupted: () -> Bool) {
    locked {
      while events.count >= Self.mostWaiting, !isInterrupted() { waitForChange(0.05) }
      add(Event(line: line, version: version))
    }
  }

  /// Notes that there is no event up to a version. The file has it at the end, and now and then before.
  func advance(to version: Int, isAtEnd: Bool = false) {
    locked {
      // An event stays among them until it is done.
      guard cursor != nil, events.isEmpty else { return }
      let distance = version - (written ?? version - Self.versionsWithoutEvent)
      if distance >= Self.versionsWithoutEvent || isAtEnd && distance > 0 {
        add(Event(line: nil, version: version))
      }
    }
  }

  private func add(_ event: Event) {
    guard phase == .open else { return }
    events.append(event)
    if !isThreadRunning {
      do throws(SystemThread.Failure) {
        // Signals are for other threads, and a program that does not read its input is an error of a write.
        try SystemThread(blocksSignals: true) { [self] in run() }.detach()
        isThreadRunning = true
      } catch {
        failures.append("no thread can be started")
      }
    }
    pthread_cond_broadcast(change)
  }

  /// Lets those that wait be forgotten; a program that runs ends by itself.
  func drop() {
    locked {
      phase = .dropped
      pthread_cond_broadcast(change)
    }
  }

  /// Waits until the program has run for all events, or `isInterrupted` returns true.
  func finish(until isInterrupted: () -> Bool) {
    locked {
      if phase == .open { phase = .ending }
      pthread_cond_broadcast(change)
      while isThreadRunning, !isInterrupted() { waitForChange(0.05) }
    }
  }

  /// Whether nothing more will run.
  var hasEnded: Bool { locked { !isThreadRunning && (events.isEmpty || phase == .dropped) } }

  /// The failures since the last call.
  func takeFailures() -> [String] {
    locked {
      defer { failures = [] }
      return failures
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
        locked {
          written = cursor == nil ? nil : event.version
          removeFirst()
        }
        continue
      }
      let isRunAgain = locked {
        failures.append(failure + consequence(delay))
        if cursor == nil { removeFirst() }
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
    locked {
      while events.isEmpty, phase == .open { waitForChange(60) }
      if phase != .dropped, let event = events.first { return event }
      isThreadRunning = false
      pthread_cond_broadcast(change)
      return nil
    }
  }

  private func removeFirst() {
    if !events.isEmpty { events.removeFirst() }
    pthread_cond_broadcast(change)
  }

  /// What a failure leads to, for its message. The mutex is held.
  private func consequence(_ delay: Double) -> String {
    guard cursor != nil else { return "" }
    if phase == .open { return "; it is run again in \(Int(delay)) s" }
    phase = .dropped
    let count = events.count { $0.line != nil }
    return "; \(count) event\(count == 1 ? " comes" : "s come") again with the same file"
  }

  private func wait(_ delay: Double) {
    let deadline = Clock.uptime + delay
    locked {
      while phase == .open, Clock.uptime < deadline { waitForChange(deadline - Clock.uptime) }
    }
  }

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
