import HeraldReplication
import HeraldShell

/// One run of `herald check`, `herald repair`, `herald replicate` or `herald convert`, which work on files without a
/// session of the shell.
struct FileRun {
  private let interpreter: Interpreter

  /// Must be called on the main thread, before any other thread is created.
  init(_ output: FileOutputOptions) throws(SystemFailure) {
    var settings = Interpreter.Options()
    settings.mode = output.json ? .json : .text
    settings.refillStream = { file, address in
      let refill = try NATSStream(address: address).refill(from: file)
      return (refill.versions, refill.version)
    }
    let interpreter = Interpreter(options: settings, sink: StandardStreams())
    self.interpreter = interpreter
    Signals.hold(Signals.ofScript)
    try Signals.watch(Signals.ofScript, eventQueue: TerminalEventQueue(), defersTermination: false)
    {
      interpreter.interrupt()
    }
  }

  /// Checks the file and returns the exit status.
  func check(_ options: CheckOptions) -> Int32 {
    interpreter.check(file: options.file)
    return interpreter.exitStatus
  }

  /// Repairs the file and returns the exit status.
  func repair(_ options: RepairOptions) -> Int32 {
    interpreter.repair(file: options.file, to: options.new)
    return interpreter.exitStatus
  }

  /// Converts a file of the documented system and returns the exit status.
  func convert(_ options: ConvertOptions) -> Int32 {
    interpreter.convert(file: options.file, key: options.key, to: options.target)
    return interpreter.exitStatus
  }

  /// Puts the commits of the file back into a stream and returns the exit status.
  func replicate(_ options: ReplicateOptions) -> Int32 {
    interpreter.replicate(file: options.file, to: options.address)
    return interpreter.exitStatus
  }
}
