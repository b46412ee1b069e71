import Glibc
import Synchronization

/// Signals as messages: one thread waits for them, so that none of this runs inside a handler,
/// where hardly anything is allowed.
struct Signals: Sendable {
  private let watched: [Int32]
  private let mailbox: Mailbox
  /// A signal that ends the program is waited with until the running statement has noticed it.
  private let heedsTermination: Bool
  private let interrupt: @Sendable () -> Void

  /// At a terminal every signal that would leave it in our hands is watched.
  static let ofTerminal = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  static let ofScript = [SIGINT]

  /// Holds these signals back until they are watched. Call it before any other thread is made, so
  /// that all of them leave the signals alone. A pipe that nobody reads ends the program quietly,
  /// whatever the program that started it thinks of such pipes.
  static func hold(_ signals: [Int32]) {
    signal(SIGPIPE, SIG_DFL)
    // A file that may not grow further is an error of the write that meets it.
    signal(SIGXFSZ, SIG_IGN)
    setMask(SIG_BLOCK, signals)
    // What libedit starts, an editor for a line, is to hear of signals as any program does.
    pthread_atfork(nil, nil) {
      signal(SIGXFSZ, SIG_DFL)
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
    }
  }

  /// Begins to turn these signals, held before, into messages.
  static func watch(
    _ watched: [Int32], mailbox: Mailbox, heedsTermination: Bool,
    interrupt: @escaping @Sendable () -> Void
  ) throws(SystemFailure) {
    let signals = Signals(
      watched: watched, mailbox: mailbox, heedsTermination: heedsTermination, interrupt: interrupt)
    let context = Unmanaged.passRetained(Context(signals: signals))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        Unmanaged<Context>.fromOpaque(raw).takeRetainedValue().signals.waitForever()
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SystemFailure(code: code)
    }
    pthread_detach(thread)
  }

  /// Dies of `signal` as if it had never been watched.
  static func die(of signal: Int32) -> Never {
    TerminalDescriptors.standard.giveBack()
    Glibc.signal(signal, SIG_DFL)
    setMask(SIG_UNBLOCK, [signal])
    raise(signal)
    _exit(128 + signal)
  }

  /// Stops this process until it is continued.
  static func suspend() {
    setMask(SIG_UNBLOCK, [SIGTSTP])
    raise(SIGTSTP)
    setMask(SIG_BLOCK, [SIGTSTP])
  }

  private final class Context: Sendable {
    let signals: Signals
    init(signals: Signals) { self.signals = signals }
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
        if mailbox.interrupt(stop: interrupt) == .script { _exit(ExitStatus.interrupted) }
        TerminalDescriptors.standard.wakeWriter()
      } else if let message = Self.message(for: signal), mailbox.postToPrompt(message) {
        isFirstRequest = true
      } else {
        actDuringStatement(signal, isFirst: &isFirstRequest)
      }
    }
  }

  private static func message(for signal: Int32) -> Mailbox.Message? {
    switch signal {
    case SIGTERM, SIGHUP: .terminate(signal: signal)
    case SIGTSTP: .suspend
    case SIGCONT: .resume
    case SIGWINCH: .resize
    default: nil
    }
  }

  /// A statement is running, or a script is awaited: the terminal is not in the editor's hands.
  private func actDuringStatement(_ signal: Int32, isFirst: inout Bool) {
    switch signal {
    case SIGTERM, SIGHUP:
      // Whoever asks twice does not want to wait for the statement to notice.
      guard heedsTermination, isFirst else { Self.die(of: signal) }
      isFirst = false
      mailbox.post(.terminate(signal: signal))
      interrupt()
    case SIGTSTP: TerminalDescriptors.standard.suspend()
    case SIGQUIT: if !heedsTermination { Self.die(of: signal) }
    case SIGWINCH: mailbox.post(.resize)
    default: break
    }
  }
}
