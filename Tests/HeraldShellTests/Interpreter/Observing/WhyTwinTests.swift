import TestSupport
import Testing

@testable import HeraldShell

/// `why` (language 2) against a second session that receives each commit by itself: the last commit
/// reached a token that received several at once where it reaches the same token alone.
@Suite struct WhyTwinTests {
  /// Conditions on what commits remove, observed so that nothing else of the object is delivered.
  private static let targets =
    KennelScript.targets + [
      "Dog where ANY nums > 3 keypaths none", "Dog where nums.@count > 1 keypaths name",
      "Dog where nums[0] > 2 keypaths none", "Dog where NONE nums > 2 sort(age) keypaths none",
      "Dog where ANY nums > 2 sort(age) limit(2) keypaths none", "Dog limit(2) keypaths none",
      "Dog where nums.@sum > 4 distinct(age) keypaths none",
      "Person where ANY dogs.nums > 3 keypaths none", "Person where dogs[0].age > 3 keypaths none",
      "Person#1.dogs where ANY nums > 3 keypaths none", "Person#1.dogs limit(2) keypaths none",
      "Person#1.dogs where nums.@count > 1 sort(age) limit(2) keypaths none",
      "Person where owned.@count > 1 keypaths none",
      "Person where ANY homes.@values.nums > 3 depth 0",
    ]

  @Test(arguments: seeds(24))
  func `the last commit reached the tokens that it reaches alone`(seed: UInt64) {
    var kennel = KennelScript(seed: seed)
    var script = kennel.beginning()
    script += "@shadow count Dog\n"
    for (number, target) in Self.targets.enumerated() {
      let (query, options) = KennelScript.parts(of: target)
      for (name, prefix) in [("m", ""), ("s", "@shadow ")] {
        script += "\(prefix)observe \(query) as \(name)\(number) \(options)\n"
      }
    }
    script += "autorefresh off\n"
    for _ in 0..<14 {
      for statement in kennel.statements() {
        script += "print \"## commit\"\n@w \(statement)\n"
      }
      script += "print \"## refresh\"\nrefresh\nprint \"## why\"\n"
      for number in Self.targets.indices { script += "why m\(number)\n" }
    }
    let run = ScriptRun(script, named: "why-\(seed)")
    #expect(run.errors == "", "seed \(seed)")
    check(run.output, seed)
  }

  /// Goes through the rounds of a run.
  private func check(_ output: String, _ seed: UInt64) {
    var section = ""
    var shadow: Set<Int> = []
    var notified: Set<Int> = []
    var answers = 0
    for line in output.split(separator: "\n") {
      if line.hasPrefix("## ") {
        section = String(line.dropFirst(3).prefix { $0 != " " })
        if section == "commit" { (shadow, notified) = ([], []) }
      } else if section == "commit", let number = number(line, after: "shadow/s") {
        shadow.insert(number)
      } else if section == "refresh", let number = number(line, after: "m") {
        notified.insert(number)
      } else if section == "why", let number = number(line, after: "m"), !line.contains(": dead:") {
        answers += 1
        let isReached = line.contains(": notified:")
        let expected = notified.contains(number) && shadow.contains(number)
        #expect(
          isReached == expected,
          "seed \(seed): \(Self.targets[number]): \(line), notified \(notified.contains(number))")
      }
    }
    #expect(answers > 14 * 20)
  }

  private func number(_ line: Substring, after prefix: String) -> Int? {
    guard line.hasPrefix(prefix) else { return nil }
    return Int(line.dropFirst(prefix.count).prefix { $0.isNumber })
  }
}
