import Synchronization
import Testing

@testable import HeraldShell

/// The whole tour's output is the transcript `language/2-tour`.
@Suite struct TourTests {
  /// What each step prints, at a prompt where the user always continues.
  private static let screens: [String] = {
    let sink = CollectingSink()
    let places = Mutex<[Int]>([])
    var options = Interpreter.Options()
    let output = Output(sink)
    options.shouldContinue = {
      places.withLock { $0.append(output.length) }
      return true
    }
    let interpreter = Interpreter(options: options, sink: sink)
    interpreter.run(Source(name: "test", text: "tour"))
    interpreter.finish()
    var screens: [String] = []
    var start = 0
    for end in places.withLock({ $0 }) + [sink.output.utf8.count] {
      screens.append(String(decoding: Array(sink.output.utf8)[start..<end], as: UTF8.self))
      start = end
    }
    return screens
  }()

  /// Only the thread that runs the tour calls this.
  private final class Output: @unchecked Sendable {
    private let sink: CollectingSink
    init(_ sink: CollectingSink) { self.sink = sink }
    var length: Int { sink.output.utf8.count }
  }

  @Test func `The tour asks between two steps, and not after the last`() {
    #expect(Self.screens.count == Tour.steps.count)
    for (number, screen) in Self.screens.enumerated() {
      #expect(
        screen.hasPrefix("\(number + 1) of \(Tour.steps.count): \(Tour.steps[number].title)\n"))
    }
  }

  @Test(arguments: Tour.steps.indices)
  func `A step fits a screen with the prompt below it`(index: Int) {
    let lines = Self.screens[index].split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.reduce(0) { $0 + max(1, ($1.count + 79) / 80) }
    #expect(rows <= 24)
  }

  /// An event that nobody explains would be a riddle: some remark is below it, in its step.
  @Test(arguments: Tour.steps.indices)
  func `Each step prints what was delivered, and each event has a remark`(index: Int) {
    let step = Tour.steps[index]
    #expect(step.moments.allSatisfy { !$0.remark.isEmpty && !$0.statements.isEmpty })
    let events = Self.screens[index].split(separator: "\n").filter { $0.contains(": ") }
    #expect(events.count > 1)
  }

  @Test func `After quitting no further step is shown, and the store is the same`() {
    var options = Interpreter.Options()
    let calls = Atomic(0)
    let counted = Counter(calls: { calls.add(1, ordering: .relaxed).newValue })
    options.shouldContinue = { counted.calls() < 2 }
    let run = ScriptRun("class Cat { n: int }\ntour\ncount Cat\n", options)
    #expect(run.errors == "")
    #expect(run.output.contains("\n2 of "))
    #expect(!run.output.contains("\n3 of "))
    #expect(run.output.hasSuffix("\n0\n"))
  }

  private struct Counter: Sendable {
    let calls: @Sendable () -> Int
  }

  @Test func `In the middle of a write and of a delivery the tour is the same`() {
    let alone = ScriptRun("tour").output
    #expect(ScriptRun("class Cat { n: int }\nwrite { add Cat { n: 1 }\ntour }").output == alone)
    let output = ScriptRun("class Cat { n: int }\nobserve Cat as c do { tour }").output
    #expect(output == "c: initial 0 rows\n" + alone)
    #expect(ScriptRun("@bg tour").output == alone)
  }

  @Test func `An interrupted tour ends, and what follows it does not run`() {
    let sink = CollectingSink()
    let interpreter = Interpreter(options: .init(), sink: sink)
    interpreter.interrupt()
    interpreter.run(Source(name: "test", text: "tour\nprint 1"))
    interpreter.finish()
    #expect(sink.output == "")
    #expect(sink.errors.contains("interrupted"))
    #expect(interpreter.exitStatus == 130)
  }
}
