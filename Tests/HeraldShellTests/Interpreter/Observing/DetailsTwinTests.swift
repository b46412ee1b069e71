import TestSupport
import Testing

@testable import HeraldShell

/// `details on` (language 3): the rows that are kept follow every change, delivered or silenced.
/// The twin turns details off and on before each write, so that every row is read anew.
@Suite struct DetailsTwinTests {
  @Test(arguments: seeds(24))
  func `rows that follow their changes are those that are read anew`(seed: UInt64) {
    let (script, anew) = scripts(seed)
    let (run, twin) = (ScriptRun(script, named: "details"), ScriptRun(anew, named: "details"))
    #expect(run.errors == "", "seed \(seed)")
    #expect(twin.errors == "", "seed \(seed)")
    let pairs = zip(run.output.split(separator: "\n"), twin.output.split(separator: "\n"))
    for (line, expected) in pairs where line != expected {
      Issue.record("seed \(seed): \(line)\ninstead of \(expected)")
      return
    }
    #expect(run.output.count == twin.output.count)
    #expect(run.output.contains("\n  0: "))
  }

  /// The same commits, and before each of the second script's a look at every row.
  private func scripts(_ seed: UInt64) -> (followed: String, anew: String) {
    var kennel = KennelScript(seed: seed)
    var choice = SplitMix64(seed: seed)
    var script = kennel.beginning()
    for (number, target) in KennelScript.targets.enumerated() {
      let (query, options) = KennelScript.parts(of: target)
      script += "observe \(query) as m\(number) \(options)\n"
    }
    script += "details on\n"
    var anew = script
    for _ in 0..<30 {
      for block in kennel.commits() {
        let names = KennelScript.lasting.filter { _ in choice.chance(20) }.map { "m\($0)" }
        let without = names.isEmpty ? "" : "without \(names.joined(separator: ", ")) "
        let way = choice.pick(["write ", "write ", "write async ", "@w write "])
        let statement = way + (way == "@w write " ? "" : without) + block
        script += statement + "\n"
        anew += "details off\ndetails on\n" + statement + "\n"
      }
      if choice.chance(20) {
        script += "autorefresh off\n"
        anew += "autorefresh off\n"
      } else if choice.chance(50) {
        script += "refresh\nautorefresh on\n"
        anew += "refresh\nautorefresh on\n"
      }
    }
    return (script, anew)
  }
}
