import Glibc
import Testing

@testable import HeraldShell

private let firstSeed = UInt64.random(in: 0 ... .max / 2)

private let seeds = (0..<100).map { firstSeed + $0 }

/// A folder that goes with the test.
private final class Folder {
  let path: String

  init() {
    var template = Array("/tmp/herald-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
  }

  deinit {
    for name in ["a.json", "a.jsonl", "a.csv", "a.herald"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

/// What a script and a dump after it print; nothing may fail.
private func dump(after script: String) -> String {
  let run = Run(script + "dump\n")
  #expect(run.errors == "")
  return run.output
}

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
func `objects that were exported and imported are the same`(seed: UInt64, ending: String) {
  let folder = Folder()
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

@Test func `a file is replaced only once it is whole`() throws {
  let folder = Folder()
  let script = """
    class A { n: int }
    add A { n: 1 }
    dump to "\(folder.path)/a.herald"
    expect error "names no format" { export A to "\(folder.path)/a.txt" }
    expect error "cannot write" { export A to "\(folder.path)/missing/a.csv" }
    expect error "cannot write" { dump to "\(folder.path)" }
    export A where n > 5 to "\(folder.path)/a.csv"
    import "\(folder.path)/a.csv" into A
    read "\(folder.path)/a.herald"
    count A
    dump to "\(folder.path)/a.json"
    """
  // What stands at the path as a link stays one: the file that it leads to is written.
  let (link, target) = ("\(folder.path)/a.json", "\(folder.path)/a.jsonl")
  #expect(symlink(target, link) == 0)
  close(open(target, O_WRONLY | O_CREAT, 0o666))
  let run = Run(script)
  #expect(run.errors == "")
  #expect(run.output == "2\n")
  var status = stat()
  #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  #expect(stat(target, &status) == 0 && status.st_size > 0)
}
