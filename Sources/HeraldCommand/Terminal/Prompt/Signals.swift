import Glibc
import HeraldShell
import Synchronization

/// Turns signals into messages: one thread waits for them, because hardly anything is allowed in a signal
/// handler.
struct Signals: Sendable {
  private let watched: [Int32]
  private let eventQueue: TerminalEventQueue
  /// Whether a termination signal is deferred until the running statement has noticed it.
  private let defersTermination: Bool
  private let interrupt: @Sendable () -> Void

  /// The signals watched at a terminal: all that would otherwise leave it in the program's mode.
  static let ofTerminal = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  static let ofScript = [SIGINT]

  /// Blocks these signals until they are watched. Must be called before any other thread is created, so that
  /// all threads inherit that. Restores the default of SIGPIPE, so that a closed pipe ends the program
  /// silently whatever it inherited.
  static func hold(_ signals: [Int32]) {
    signal(SIGPIPE, SIG_DFL)
    // A write beyond the limit of a file's size fails with an error instead.
    signal(SIGXFSZ, SIG_IGN)
    setMask(SIG_BLOCK, signals)
    // A program that libedit starts, an editor for a line, must receive signals as usual.
    pthread_atfork(nil, nil) {
      signal(SIGXFSZ, SIG_DFL)
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
    }
  }

  /// Starts the thread that turns these signals, blocked before, into messages.
  static func watch(
    _ watched: [Int32], eventQueue: TerminalEventQueue, defersTermination: Bool,
    interrupt: @escaping @Sendable () -> Void
  ) throws(SystemFailure) {
    let signals = Signals(
      watched: watched, eventQueue: eventQueue, defersTermination: defersTermination,
      interrupt: interrupt
    )
    do {
      try SystemThread { signals.waitForever() }.detach()
    } catch { throw SystemFailure(code: error.code) }
  }

  /// Ends the process by `signal` as if it had never been watched.
  static func die(of signal: Int32) -> Never {
    TerminalDescriptors.standard.restoreMode()
    Glibc.signal(signal, SIG_DFL)
    setMask(SIG_UNBLOCK, [signal])
    raise(signal)
    _exit(128 + signal)
  }

  /// Stops this process until it receives SIGCONT.
  static func suspend() {
    setMask(SIG_UNBLOCK, [SIGTSTP])
    raise(SIGTSTP)
    setMask(SIG_BLOCK, [SIGTSTP])
  }

  private static func setMask(_ how: Int32, _ signals: [Int32]) {
    var mask = set(of: signals)
    pthread_sigmask(how, &mask, nil)
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    return mask
  }

  private func waitForever() -> Never {
    var mask = Self.set(of: watched)
    var isFirstRequest = true
    while true {
      var signal: Int32 = 0
      guard sigwait(&mask, &signal) == 0 else { continue }
      if signal == SIGINT {
        if eventQueue.interrupt(stop: interrupt) == .script { _exit(ExitStatus.interrupted) }
        TerminalDescriptors.standard.wakeWriter()
      } else if let message = Self.message(for: signal), eventQueue.postToPrompt(message) {
        isFirstRequest = true
      } else {
        actDuringStatement(signal, isFirst: &isFirstRequest)
      }
    }
  }

  private static func message(for signal: Int32) -> TerminalEventQueue.Message? {
    switch signal {
    case SIGTERM, SIGHUP: .terminate(signal: signal)
    case SIGTSTP: .suspend
    case SIGCONT: .resume
    case SIGWINCH: .resize
    default: nil
    }
  }

  /// Handles a signal while a statement runs or a script is awaited, when the editor does not own the
  /// terminal.
  private func actDuringStatement(_ signal: Int32, isFirst: inout Bool) {
    switch signal {
    case SIGTERM, SIGHUP:
      // A second request does not wait for the statement to notice.
      guard defersTermination, isFirst else { Self.die(of: signal) }
      isFirst = false
      eventQueue.post(.terminate(signal: signal))
      interrupt()
    case SIGTSTP: TerminalDescriptors.standard.suspend()
    case SIGQUIT: if !defersTermination { Self.die(of: signal) }
    case SIGWINCH: eventQueue.post(.resize)
    default: break
    }
  }
}
