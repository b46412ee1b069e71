import Foundation
import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// The laws of the log at random, over objects of every type, classes that change, two sessions, in memory and on
/// disk. A failure prints its seed:
///
///     HERALD_SEED=18 scripts/test --filter LogLawTests
struct LogLawTests {
  @Test(arguments: (0..<60).map { firstSeed + $0 })
  func `every kept version dumps as it did when it was committed`(seed: UInt64) throws {
    let run = try LogRun(seed)
    for step in 0..<40 { run.execute(step % 6 == 5 ? run.alteration() : run.store.change()) }
    #expect(run.dumps.count > 4, "\(run.name)")
    for version in run.dumps.keys.sorted().shuffled(using: &run.store.random) {
      #expect(run.dump(at: version) == run.dumps[version], "\(run.name), version \(version)")
    }
    run.finish()
  }

  @Test(arguments: (0..<60).map { firstSeed + $0 })
  func `undo leads back byte for byte, redo forward, and both together change nothing`(
    seed: UInt64
  ) throws {
    let run = try LogRun(seed)
    let first = run.version
    for _ in 0..<30 { run.execute(run.store.change()) }
    let last = run.version
    for version in (first..<last).reversed() {
      #expect(run.errors(of: "undo") == "", "\(run.name), version \(version + 1)")
      #expect(run.dump() == run.dumps[version], "\(run.name), version \(version)")
    }
    for version in first..<last {
      #expect(run.errors(of: "redo") == "", "\(run.name)")
      #expect(run.dump() == run.dumps[version + 1], "\(run.name), version \(version + 1)")
    }
    #expect(run.errors(of: "redo").contains("nothing to redo"))
    // One of them, where nothing since depends on it.
    for version in (first..<last).map({ $0 + 1 }).shuffled(using: &run.store.random).prefix(8) {
      let errors = run.errors(of: "undo \(version)")
      if errors == "" { #expect(run.errors(of: "redo") == "", "\(run.name)") }
      #expect(errors == "" || errors.contains("cannot be undone"), "\(run.name): \(errors)")
      #expect(run.dump() == run.dumps[last], "\(run.name), undo \(version) and redo")
    }
    run.finish()
  }

  @Test(arguments: (0..<60).map { firstSeed + $0 })
  func `the difference of two versions, replayed on the earlier one, makes the later`(
    seed: UInt64
  ) throws {
    let run = try LogRun(seed)
    let first = run.version
    for step in 0..<40 {
      run.execute(
        step % 13 == 12 ? run.alteration(keepsProperties: true) : run.store.change())
    }
    run.execute("mode json")
    for _ in 0..<20 {
      let versions = [first, run.version].map { _ in
        Int.random(in: first...run.version, using: &run.store.random)
      }
      try run.checkDifference(versions.min() ?? 0, versions.max() ?? 0)
    }
    run.finish()
  }
}

/// A store that random statements change, with what it dumped at each version.
private final class LogRun {
  var store: RandomStore
  let name: String
  private(set) var dumps: [Int: String] = [:]
  private let sink = CollectingSink()
  private let interpreter: Interpreter
  private let folder: TemporaryFolder

  /// Every second seed on disk.
  init(_ seed: UInt64) throws {
    folder = try TemporaryFolder()
    store = RandomStore(seed: seed)
    name = "HERALD_SEED=\(seed)"
    var options = Interpreter.Options()
    options.keepsGoing = true
    interpreter = Interpreter(options: options, sink: sink)
    if seed % 2 == 0 { run("open \"\(folder.path)/log.hdb\"") }
    run(RandomStore.classes + store.addingNodes() + store.addingRows() + store.linking())
    dumps[version] = dump()
  }

  var version: Int { interpreter.main.store?.version ?? 0 }

  /// Runs a statement, some of them in another session, and keeps what the store dumps at its new version.
  func execute(_ statement: String) {
    let before = version
    // `@bg` would run the first of several statements only: a `begin` there would keep all others out.
    run(
      Int.random(in: 0..<4, using: &store.random) == 0
        ? "session bg\n\(statement)\nsession main" : statement)
    if version != before { dumps[version] = dump() }
  }

  /// `keepsProperties`: rows keep their primary key, and no other property gets the name of
  /// one that was dropped.
  func alteration(keepsProperties: Bool = false) -> String {
    alters.filter { !keepsProperties || !$0.contains("key: string;") && !$0.contains("drop v;") }
      .randomElement(using: &store.random) ?? ""
  }

  func dump(at version: Int? = nil) -> String {
    output(of: "dump" + (version.map { " at \($0)" } ?? ""))
  }

  func output(of statement: String) -> String {
    let before = sink.output.utf8.count
    run(statement)
    return String(decoding: sink.output.utf8.dropFirst(before), as: UTF8.self)
  }

  func errors(of statement: String) -> String {
    let before = sink.errors.utf8.count
    run(statement)
    return String(decoding: sink.errors.utf8.dropFirst(before), as: UTF8.self)
  }

  private func run(_ text: String) { interpreter.run(Source(name: "law", text: text + "\n")) }

  func finish() { interpreter.finishChecked() }

  // MARK: Differences

  private static let queries = [
    "Row", "Node", "Row sort(i desc)", "Row where b == true sort(f, key desc) limit(3)",
    "Row sort(key) offset(1)", "Row distinct(b) sort(d)", "Node where next != nil sort(name desc)",
    "Node sort(name) limit(2)", "Row where b == true", "Row where i < 0 OR i == nil",
    "Node where name == \"a\"", "Row where node.name == \"a\"", "Row where ANY nodes.name != \"a\"",
    "Node where next.next.name == nil", "Row where back.@count > 0", "Node where peers.@count > 1",
    "Node where @links.@count > 1", "Node where @links.Row.nodes.@count == 1",
    "Row where back.peers.@count > 0", "Row where SUBQUERY(nodes, $n, $n.next != nil).@count > 0",
    "Row where ANY parts.n > 1", "Row where all.@count > 1 AND tags.@count < 3",
    "Row where i >= (Row).@max.i", "Row where node == $n0", "Row where node.name == $n0.name",
    "Row sort(node.name desc)", "Row where node != nil sort(node.next.name, key)",
  ]
  /// Backlinks are no properties of their own, and embedded objects none of the row.
  private static let shownOnly: Set = ["back", "part", "parts", "named"]

  func checkDifference(_ first: Int, _ last: Int) throws {
    let query = Self.queries.randomElement(using: &store.random) ?? "Row"
    let place = "\(name): diff \(first) \(last) \(query)"
    let results = try [
      "\(query) at \(first)", "\(query) at \(last)", "diff \(first) \(last) \(query)",
    ].map(json)
    // A class or a property that one of the versions lacks.
    guard let old = results[0] as? [[String: Any]], let new = results[1] as? [[String: Any]],
      let difference = results[2] as? [String: [Any]]
    else { return }
    func rows(_ name: String) -> [Int] { difference[name] as? [Int] ?? [-1] }
    let (deleted, inserted) = (rows("deletions"), rows("insertions"))
    var replayed = old
    for row in deleted.reversed() { replayed.remove(at: row) }
    for row in inserted { replayed.insert(new[row], at: row) }
    #expect(replayed.map(key) == new.map(key), "\(place)")
    for move in difference["moves"] as? [[Int]] ?? [[-1, -1]] {
      #expect(deleted.contains(move[0]) && inserted.contains(move[1]), "\(place)")
      #expect(key(old[move[0]]) == key(new[move[1]]), "\(place)")
    }
    let modified = rows("modificationsNew")
    #expect(rows("modifications").map { key(old[$0]) } == modified.map { key(new[$0]) }, "\(place)")
    for row in new.indices where !modified.contains(row) && !inserted.contains(row) {
      #expect(
        properties(replayed[row], of: new[row]) == properties(new[row], of: replayed[row]),
        "\(place)")
    }
  }

  private func json(_ statement: String) throws -> Any? {
    let text = output(of: statement)
    let line = try JSONSerialization.jsonObject(with: Data((text.isEmpty ? "{}" : text).utf8))
    return (line as? [String: Any])?["result"]
  }

  private func key(_ row: [String: Any]) -> String { "\(row["key"] ?? "")" }

  /// The plain properties that another row has, too.
  private func properties(_ row: [String: Any], of other: [String: Any]) -> NSDictionary {
    let names = Set((other["properties"] as? [String: Any] ?? [:]).keys)
    let properties = row["properties"] as? [String: Any] ?? [:]
    return properties.filter { names.contains($0.key) && !Self.shownOnly.contains($0.key) }
      as NSDictionary
  }
}
