import TestSupport
import Testing

@testable import HeraldShell

/// `why` (language 2) against a second session that hears of each commit by itself: the last commit
/// reached a token that was told of several at once where it reaches the same token alone.
@Suite struct WhyTwinTests {
  @Test(arguments: seeds(24))
  func `the last commit reached whom it reaches alone`(seed: UInt64) {
    var kennel = KennelScript(seed: seed)
    var script = kennel.beginning()
    script += "@shadow count Dog\n"
    for (number, target) in KennelScript.targets.enumerated() {
      let (query, options) = KennelScript.parts(of: target)
      for (name, prefix) in [("m", ""), ("s", "@shadow ")] {
        script += "\(prefix)observe \(query) as \(name)\(number) \(options)\n"
      }
    }
    script += "autorefresh off\n"
    for _ in 0..<14 {
      for block in kennel.commits() { script += "print \"## commit\"\n@w write \(block)\n" }
      script += "print \"## refresh\"\nrefresh\nprint \"## why\"\n"
      for number in KennelScript.targets.indices { script += "why m\(number)\n" }
    }
    let run = Run(script, named: "why-\(seed)")
    #expect(run.errors == "", "seed \(seed)")
    check(run.output, seed)
  }

  /// Goes through the rounds of a run.
  private func check(_ output: String, _ seed: UInt64) {
    var section = ""
    var shadow: Set<Int> = []
    var told: Set<Int> = []
    var answers = 0
    for line in output.split(separator: "\n") {
      if line.hasPrefix("## ") {
        section = String(line.dropFirst(3).prefix { $0 != " " })
        if section == "commit" { (shadow, told) = ([], []) }
      } else if section == "commit", let number = number(line, after: "shadow/s") {
        shadow.insert(number)
      } else if section == "refresh", let number = number(line, after: "m") {
        told.insert(number)
      } else if section == "why", let number = number(line, after: "m"), !line.contains(": dead:") {
        answers += 1
        let isReached = line.contains(": told:")
        let expected = told.contains(number) && shadow.contains(number)
        #expect(
          isReached == expected,
          "seed \(seed): \(KennelScript.targets[number]): \(line), told \(told.contains(number))")
      }
    }
    #expect(answers > 14 * 20)
  }

  private func number(_ line: Substring, after prefix: String) -> Int? {
    guard line.hasPrefix(prefix) else { return nil }
    return Int(line.dropFirst(prefix.count).prefix { $0.isNumber })
  }
}
