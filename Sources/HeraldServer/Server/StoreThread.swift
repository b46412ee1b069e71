import HeraldShell
import NIOCore
import NIOPosix
import Synchronization

/// A thread with a session of the store.
///
/// Only its loop uses the interpreter; the watchdog interrupts it from another thread.
final class StoreThread: Sendable {
  private let group: MultiThreadedEventLoopGroup
  let loop: any EventLoop
  private let interpreter: Interpreter
  private let limit: TimeAmount
  private let running = Mutex(Running())

  /// The work that the watchdog watches.
  private struct Running {
    var number = 0
    var isRunning = false
  }

  /// Opens the store. Errors: it cannot be opened.
  ///
  /// - Parameter onCommit: called on any thread after commits of other sessions and processes; nil if nothing is followed.
  init(
    _ settings: ServerSettings, onCommit: (@Sendable () -> Void)? = nil
  ) throws(ServerFailure) {
    var options = Interpreter.Options()
    options.mode = .json
    options.answers = true
    options.onCommitElsewhere = onCommit
    let errors = ErrorCapture()
    let interpreter = Interpreter(options: options, sink: errors)
    guard interpreter.open(path: settings.store, isReadOnly: settings.isReadOnly) else {
      throw ServerFailure(interpreter.firstFailure?.message ?? errors.text)
    }
    interpreter.rest()
    self.interpreter = interpreter
    limit = .milliseconds(Int64(settings.limits.statement))
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loop = group.next()
  }

  /// Runs work on the thread, after what it was given before. The session is at the newest version, whose events are
  /// delivered first, and releases it after the work; work that takes too long is interrupted.
  func perform(_ body: @escaping @Sendable (Interpreter) -> Void) {
    loop.execute { [self] in
      interpreter.wake()
      running.withLock { running in
        running.number += 1
        running.isRunning = true
      }
      body(interpreter)
      running.withLock { $0.isRunning = false }
      interpreter.clearInterruption()
      interpreter.rest()
    }
  }

  /// Delivers what others have committed, however long that takes: calls a block before, and one after with the version.
  func takeTurn(
    begins: @escaping @Sendable () -> Void, ended: @escaping @Sendable (Int) -> Void
  ) {
    loop.execute { [interpreter] in
      begins()
      interpreter.wake()
      ended(interpreter.version ?? 0)
      interpreter.rest()
    }
  }

  /// Interrupts the work that is running for longer than the limit; called from another thread every now and then.
  func watch(on other: any EventLoop) -> RepeatedTask {
    let step = TimeAmount.nanoseconds(max(1_000_000, limit.nanoseconds / 4))
    let last = Mutex((number: 0, since: NIODeadline.now()))
    return other.scheduleRepeatedTask(initialDelay: step, delay: step) { [self] _ in
      running.withLock { running in
        last.withLock { last in
          guard running.isRunning, running.number == last.number else {
            last = (running.number, .now())
            return
          }
          if NIODeadline.now() - last.since >= limit { interpreter.interrupt() }
        }
      }
    }
  }

  /// Closes the store, after the work that was given, and ends the thread.
  func stop() {
    try? loop.submit { [interpreter] in interpreter.finish() }.wait()
    try? group.syncShutdownGracefully()
  }
}

/// The first errors of opening a store.
private final class ErrorCapture: OutputSink {
  private static let limit = 10_000
  private(set) var text = ""

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    writeError(String(text))
    return text.endIndex
  }

  func writeError(_ text: String) { if self.text.utf8.count < Self.limit { self.text += text } }
}
