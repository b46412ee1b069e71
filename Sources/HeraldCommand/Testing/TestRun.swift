import HeraldShell
import Synchronization

/// One run of `herald test`: runs the scripts in order and reports each result at once.
struct TestRun {
  private let options: TestOptions
  private let streams = StandardStreams()
  private let running: RunningTest

  /// Must be called on the main thread, before any other thread is created.
  init(_ options: TestOptions) throws(SystemFailure) {
    self.options = options
    let running = RunningTest()
    self.running = running
    Signals.hold(Signals.ofScript)
    try Signals.watch(Signals.ofScript, eventQueue: TerminalEventQueue(), defersTermination: false)
    {
      running.interrupt()
    }
  }

  /// Runs every script and returns the exit status.
  func run() -> Int32 {
    if !options.summary { streams.write(TestReport.head(count: options.files.count)) }
    var failures: [TestResult] = []
    for (number, file) in options.files.enumerated() {
      let result = result(of: file)
      if result.isInterrupted {
        streams.write(TestReport.interrupted)
        return ExitStatus.interrupted
      }
      streams.write(
        plain: options.summary
          ? TestReport.errors(result) : TestReport.text(result, number: number + 1))
      if result.failure != nil { failures.append(result) }
    }
    if options.summary {
      streams.write(plain: TestReport.summary(failures, of: options.files.count))
    }
    return failures.first?.status ?? 0
  }

  private func result(of file: String) -> TestResult {
    var settings = Interpreter.Options()
    settings.echoes = options.echo
    let output = TestOutput(echo: options.echo ? streams : nil)
    let interpreter = Interpreter(options: settings, sink: output)
    running.interpreter = interpreter
    defer { running.interpreter = nil }
    for setting in options.settings { interpreter.setVariable(setting.name, to: setting.value) }
    interpreter.run(file: file)
    interpreter.finish()
    return TestResult(file: file, interpreter, output: output.output, errors: output.errors)
  }
}

/// The running script, for the thread that waits for signals. An interrupt between two scripts stops the next
/// one.
private final class RunningTest: Sendable {
  private struct Contents {
    var interpreter: Interpreter?
    var wasInterrupted = false
  }

  private let contents = Mutex(Contents())

  var interpreter: Interpreter? {
    get { contents.withLock { $0.interpreter } }
    set {
      contents.withLock { contents in
        contents.interpreter = newValue
        if contents.wasInterrupted { newValue?.interrupt() }
      }
    }
  }

  func interrupt() {
    contents.withLock { contents in
      contents.wasInterrupted = true
      contents.interpreter?.interrupt()
    }
  }
}

/// The output of a script: recorded for its failure, and written as comments if requested.
private final class TestOutput: OutputSink {
  private(set) var output = ""
  private(set) var errors = ""
  private let echo: StandardStreams?

  init(echo: StandardStreams?) { self.echo = echo }

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    output += text
    echo?.write(plain: TestReport.comments(String(text)))
    return text.endIndex
  }

  func writeError(_ text: String) { errors += text }
}
