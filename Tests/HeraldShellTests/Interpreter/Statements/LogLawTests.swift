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
    #expect(run.dumps.count > 1, "\(run.name)")
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

extension LogLawTests {
  /// A property that is dropped and added again is another one: each version is read by its own, in conditions, sorts
  /// and paths, and observers follow.
  @Test(arguments: (0..<20).map { firstSeed + $0 })
  func `queries of properties that were dropped and added again are right at each version`(
    seed: UInt64
  ) throws {
    let run = try LogRun(seed, ReaddedProperties.setup)
    let queries = ReaddedProperties.queries
    run.execute("mode json")
    let first = run.version
    var results: [Int: [String]] = [:]
    let observed = queries.randomElement(using: &run.store.random) ?? "Row"
    /// The keys of the observed rows; nil while there is no observer.
    var shown: [String]?
    for _ in 0..<60 {
      let statement = ReaddedProperties.statement(&run.store.random)
      let events = run.output(of: statement).split(separator: "\n")
      let rows = try run.json(observed) as? [[String: Any]]
      for event in events {
        shown = try run.replayed(shown, String(event), rows?.map(run.key))
      }
      // A renamed property keeps its observer, while the query's text means another one.
      if statement.contains("rename") { run.execute("invalidate all") }
      // An observer ends when a property is dropped that it reads.
      if !run.output(of: "tokens").contains("\"t\"") { shown = nil }
      if let shown, let rows { #expect(shown == rows.map(run.key), "\(run.name): \(statement)") }
      if shown == nil, rows != nil, run.errors(of: "observe \(observed) as t") == "" {
        shown = rows?.map(run.key)
      }
      results[run.version] = queries.map { run.output(of: $0) }
    }
    run.execute("invalidate all")
    for version in results.keys.sorted() {
      let found = queries.map { run.output(of: "\($0) at \(version)") }
      #expect(found == results[version], "\(run.name), version \(version)")
    }
    for _ in 0..<40 {
      let versions = [first, run.version].map { _ in
        Int.random(in: first...run.version, using: &run.store.random)
      }
      let query = queries.randomElement(using: &run.store.random) ?? "Row"
      try run.checkDifference(
        versions.min() ?? 0, versions.max() ?? 0, query, comparesValues: false)
    }
    run.finish()
  }
}

/// Classes of which properties are dropped and added again, and queries that read these properties.
private enum ReaddedProperties {
  static let setup = """
    class Node { name: string; n: int; next: Node }
    class Row { key: int primary; v: int?; node: Node; nodes: list<Node> }
    add Node [ {name: "a", n: 1}, {name: "b", n: 2}, {name: "c", n: 3}, {name: "a", n: 4} ]
    set Node#1.next = Node#2; set Node#3.next = Node#1
    add Row [ {key: 1, v: 1, node: Node#1, nodes: [Node#1, Node#2]}, {key: 2, v: 3, node: Node#3}
      {key: 3, node: Node#2, nodes: [Node#3]}, {key: 4, v: 9, node: Node#4}, {key: 5, v: 2} ]

    """

  static let queries = [
    "Row", "Row where v > 2", "Row where v == nil sort(key desc)", "Row where node.n > 1",
    "Row where node.name == \"a\" sort(v desc, key)", "Row sort(node.n desc, node.name)",
    "Row where node.next.n >= 2 sort(node.next.n)", "Row where ANY nodes.n == 2",
    "Row distinct(node.name) sort(v)", "Row where nodes.@count > 1 AND v < 5",
    "Row sort(v) limit(3)",
    "Node where next.name != \"b\" sort(next.n desc)", "Row where nodes.@sum.n > 2 sort(key)",
    "Row where SUBQUERY(nodes, $n, $n.n > 1).@count > 0",
    "Row where node != nil sort(node.next.name)",
  ]

  private static let alterations = [
    "alter Row { drop v; add v: int? }", "alter Row { drop v; add v: int = 2 }",
    "alter Row { drop v }",
    "alter Row { add v: int? }", "alter Row { drop node; add node: Node }",
    "alter Row { drop node }",
    "alter Row { add node: Node }", "alter Node { drop name; add name: string = \"b\" }",
    "alter Node { drop n; add n: int = 3 }", "alter Node { drop next; add next: Node }",
    "alter Node { drop n }", "alter Node { add n: int = 1 }",
    "alter Row { drop nodes; add nodes: list<Node> }", "alter Row { rename v to w }",
    "alter Row { rename w to v }",
  ]

  static func statement(_ random: inout SplitMix64) -> String {
    if random.chance(30) { return random.pick(alterations) }
    let (row, node, other) = (1 + random.below(6), 1 + random.below(4), 1 + random.below(4))
    return random.pick([
      "set Row#\(row).v = \(random.below(9))", "set Row#\(row).v = nil",
      "delete Row where key == \(row)",
      "set Row#\(row).node = Node#\(node)", "set Node#\(node).n = \(random.below(6))",
      "set Node#\(node).name = \"\(random.pick(["a", "b", "c"]))\"",
      "set Node#\(node).next = Node#\(other)",
      "set Row#\(row).nodes = [Node#\(node), Node#\(other)]", "set Row#\(row).node = nil",
      "upsert Row { key: \(row), v: \(random.below(9)), node: Node#\(node) }", "undo",
    ])
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
  init(_ seed: UInt64, _ setup: String? = nil) throws {
    folder = try TemporaryFolder()
    store = RandomStore(seed: seed)
    name = "HERALD_SEED=\(seed)"
    var options = Interpreter.Options()
    options.keepsGoing = true
    interpreter = Interpreter(options: options, sink: sink)
    if seed % 2 == 0 { run("open \"\(folder.path)/log.hdb\"") }
    run(
      setup ?? RandomStore.classes + store.addingNodes() + store.addingRows() + store.linking())
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
    try checkDifference(first, last, query, comparesValues: true)
  }

  /// `comparesValues`: whether a property of a name is the same in both versions.
  func checkDifference(
    _ first: Int, _ last: Int, _ query: String, comparesValues: Bool
  ) throws {
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
    guard comparesValues else { return }
    for row in new.indices where !modified.contains(row) && !inserted.contains(row) {
      #expect(
        properties(replayed[row], of: new[row]) == properties(new[row], of: replayed[row]),
        "\(place)")
    }
  }

  /// The keys of observed rows after an event; nil once the observer has ended. `rows` are those after it.
  func replayed(_ shown: [String]?, _ event: String, _ rows: [String]?) throws -> [String]? {
    guard event.contains("\"token\":\"t\""), var shown else { return shown }
    let changes = try JSONSerialization.jsonObject(with: Data(event.utf8)) as? [String: Any]
    guard changes?["event"] as? String == "update", let rows else { return nil }
    let deleted = changes?["deletions"] as? [Int] ?? []
    for row in deleted.reversed() where row < shown.count { shown.remove(at: row) }
    for row in changes?["insertions"] as? [Int] ?? [] where row < rows.count {
      shown.insert(rows[row], at: min(row, shown.count))
    }
    return shown
  }

  func json(_ statement: String) throws -> Any? {
    let text = output(of: statement)
    let line = try JSONSerialization.jsonObject(with: Data((text.isEmpty ? "{}" : text).utf8))
    return (line as? [String: Any])?["result"]
  }

  func key(_ row: [String: Any]) -> String { "\(row["key"] ?? "")" }

  /// The plain properties that another row has, too.
  private func properties(_ row: [String: Any], of other: [String: Any]) -> NSDictionary {
    let names = Set((other["properties"] as? [String: Any] ?? [:]).keys)
    let properties = row["properties"] as? [String: Any] ?? [:]
    return properties.filter { names.contains($0.key) && !Self.shownOnly.contains($0.key) }
      as NSDictionary
  }
}
