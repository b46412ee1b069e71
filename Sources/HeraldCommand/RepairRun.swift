import HeraldShell

/// One run of `herald repair`.
struct RepairRun {
  private let options: RepairOptions
  private let interpreter: Interpreter

  /// Call it before any other thread is made, from the main thread.
  init(_ options: RepairOptions) throws(SystemFailure) {
    self.options = options
    var settings = Interpreter.Options()
    settings.mode = options.json ? .json : .text
    let interpreter = Interpreter(options: settings, sink: StandardStreams())
    self.interpreter = interpreter
    Signals.hold(Signals.ofScript)
    try Signals.watch(Signals.ofScript, mailbox: Mailbox(), heedsTermination: false) {
      interpreter.interrupt()
    }
  }

  /// Repairs the file and returns the exit status.
  func run() -> Int32 {
    interpreter.repair(file: options.file, to: options.new)
    return interpreter.exitStatus
  }
}
