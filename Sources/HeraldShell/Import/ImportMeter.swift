/// Shows how far an import is, once it takes a while.
final class ImportMeter {
  /// The part of the work that inferring a class is, before the objects are added.
  private static let inferring = 0.3

  private let report: (@Sendable (String, Interpreter.Progress) -> Void)?
  private let interval: Duration
  private var next: ContinuousClock.Instant

  init(_ options: Interpreter.Options) {
    report = options.progress
    interval = min(options.progressDelay, .milliseconds(100))
    next = .now + options.progressDelay
  }

  /// - Parameter progress: The part of the file that has been read, from 0 to 1.
  func note(_ records: Int, of file: ImportedFile, _ progress: Double) {
    guard let report else { return }
    let now = ContinuousClock.now
    guard now >= next else { return }
    next = now + interval
    let part =
      if file.isInferring {
        progress * Self.inferring
      } else if file.inferred != nil {
        Self.inferring + progress * (1 - Self.inferring)
      } else {
        progress
      }
    report(file.name, .importing(records: records, percent: Int(part * 100)))
  }
}
