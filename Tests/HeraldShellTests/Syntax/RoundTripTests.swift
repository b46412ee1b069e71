import TestSupport
import Testing

@testable import HeraldShell

private let seeds = (0..<100).map { firstSeed + $0 }

/// What a script and a dump after it print; nothing may fail.
private func dump(after script: String) -> String {
  let run = ScriptRun(script + "dump\n")
  #expect(run.errors == "")
  return run.output
}

struct RoundTripTests {
  @Test(arguments: seeds)
  func `a store that was dumped and rebuilt dumps the same`(seed: UInt64) {
    var store = RandomStore(seed: seed)
    let script =
      RandomStore.classes + store.addingNodes() + (seed % 3 == 0 ? store.deleting() : "")
      + store.addingRows() + store.linking()
    let dumped = dump(after: script)
    #expect(dump(after: dumped) == dumped, "seed \(seed)")
  }

  @Test(arguments: seeds, ["json", "jsonl", "csv"])
  func `objects that were exported and imported are the same`(seed: UInt64, ending: String) throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/a.\(ending)"
    var store = RandomStore(seed: seed)
    let nodes = RandomStore.classes + store.addingNodes()
    let dumped = dump(after: nodes + store.addingRows() + "export Row to \"\(file)\"\n")
    // Identifiers that were generated are other ones in the second store: the nodes come from a dump.
    let rebuilt = dumped.split(separator: "\n").filter { line in
      !line.hasPrefix("add Row") && !line.hasPrefix("set Row")
    }.joined(separator: "\n")
    let again = dump(after: rebuilt + "\nimport \"\(file)\" into Row\n")
    #expect(again == dumped, "seed \(seed)")
  }

  @Test(arguments: seeds.prefix(30))
  func `the modes csv and jsonl and the output are the same as files`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var store = RandomStore(seed: seed)
    let script =
      RandomStore.classes + store.addingNodes() + store.addingRows() + store.linking()
    for (mode, ending) in [("csv", "csv"), ("jsonl", "jsonl"), ("text", "json")] {
      for name in ["Row", "Node sort(name)"] {
        let file = "\(folder.path)/a.\(ending)"
        let run = ScriptRun(
          script + "export \(name) to \"\(file)\"\nexport \(name) to - as \(ending)\nmode \(mode)\n"
            + (mode == "text" ? "" : "show \(name)\n"))
        #expect(run.errors == "")
        let text = FileTree.text(file)
        #expect(run.output == (mode == "text" ? text : text + text), "seed \(seed)")
      }
    }
  }

  @Test func `a file is replaced only once it is whole`() throws {
    let folder = try TemporaryFolder()
    let script = """
      class A { n: int }
      add A { n: 1 }
      dump to "\(folder.path)/a.herald"
      expect error "has no known format" { export A to "\(folder.path)/a.txt" }
      expect error "cannot write" { export A to "\(folder.path)/missing/a.csv" }
      expect error "cannot write" { dump to "\(folder.path)" }
      export A where n > 5 to "\(folder.path)/a.csv"
      import "\(folder.path)/a.csv" into A
      read "\(folder.path)/a.herald"
      count A
      """
    let run = ScriptRun(script)
    #expect(run.errors == "")
    #expect(run.output == "2\n")
  }

  @Test(arguments: ["json", "jsonl", "csv"])
  func `objects without a primary key keep their links through export and import`(
    ending: String
  ) throws {
    let folder = try TemporaryFolder()
    let classes = """
      class Node { n: int; next: Node; all: list<Node>; named: map<Node>; extra: any }
      class Root { id: int primary; node: Node; part: Part }
      embedded class Part { node: Node }

      """
    let objects = """
      add Node { n: 0 } as $gone
      add Node { n: 1 } as $a
      add Node { n: 2, next: $a, all: [$a], named: { k: $a }, extra: [$a, { k: $a }] } as $b
      $a.next = $b
      add Root { id: 1, node: $b, part: { node: $a } }
      delete $gone

      """
    let (nodes, roots) = ("\"\(folder.path)/n.\(ending)\"", "\"\(folder.path)/r.\(ending)\"")
    let dumped = dump(
      after: classes + objects + "export Node to \(nodes); export Root to \(roots)\n")
    // The numbers of the file are others in the store, which has objects of its own.
    let imported = "add Node { n: 7 }; import \(roots) into Root, \(nodes) into Node; "
    #expect(dump(after: classes + imported + "delete Node where n == 7\n") == dumped)
  }

  @Test func `numbers of objects without a primary key are unique in a file`() throws {
    let folder = try TemporaryFolder()
    try FileTree.save(
      "{\"$key\": 7, \"n\": 1}\n{\"$key\": 7, \"n\": 2}\n", to: "\(folder.path)/twice.jsonl")
    try FileTree.save("$key,n,next\n7,1,8\n8,2,9\n", to: "\(folder.path)/nowhere.csv")
    let run = ScriptRun(
      """
      class Node { n: int; next: Node }
      expect error "another object has the number 7" { import "\(folder.path)/twice.jsonl" into Node }
      expect error "no such object" { import "\(folder.path)/nowhere.csv" into Node }
      count Node
      """)
    #expect(run.errors == "")
    #expect(run.output == "0\n")
  }
}
