import TestSupport

/// A store with everything that a store can hold, and the output of the undamaged one.
struct World {
  let objects: Int
  let bytes: [UInt8]
  let read: String
  let written: String
  /// The output of `dump`.
  let dump: String
  /// Its objects, for comparison with a repaired store.
  let rows: RepairedRows

  /// The statements that read each copy: all of it, and with every index.
  static let reads = [
    "dump", "show Thing where name == \"name 7\"",
    "count Thing where size > 20 and size < 60",
    "count Thing where name BEGINSWITH \"name 1\"", "count Thing where when > 2026-01-01@00:00:00",
    "count Thing where v == 3", "count Thing where from.@count > 0", "print Thing#5",
    "count Thing where ANY friends.size > 30", "count Other where label == \"label 3\"",
    "show Thing sort(size desc, id) limit(5)",
  ]

  /// The statements that write to each copy before it is read again.
  static let writes = [
    "add Thing { id: 1000001, name: \"name 7\", size: 7, ints: [1, 2], v: 3, b: true, f: 1, m: 2, "
      + "u: uuid(\"9f2c1a52-6a5b-4b0e-8c1d-000001000001\") }",
    "set Thing where size > 20 and size < 40 { size: 21, name: \"changed\", d: 0.5 }",
    "append 5 to Thing#2.ints", "delete Thing where id > 5 and id < 30",
    "write { set Thing#2.next = Thing#3; set Thing#3.part = { code: \"new\", n: 1 } }",
    "add Other [ { label: \"x\", n: \"1\" }, { label: \"y\", n: \"2\" } ]",
    "alter Other { add late: int = 3 }",
  ]

  /// Creates a store with a number of objects, with the program under test.
  init(_ bench: Bench, objects: Int, _ random: inout SplitMix64) throws {
    self.objects = objects
    let path = "\(bench.folder)/world-\(objects).hdb"
    let script = path + ".herald"
    FileTree.write(Self.script(objects, &random), to: script)
    let herald = Herald(bench)
    let made = try herald.run([path, "-f", script])
    guard made.status == 0 else { throw Unusable(words: made.summary) }
    bytes = FileTree.read(path)
    read = try Self.output(of: herald, path, Self.reads)
    written = try Self.output(of: herald, path, Self.writes + Self.reads)
    FileTree.removeStore(path)
    FileTree.write(bytes, to: path, size: bytes.count)
    dump = try Self.output(of: herald, path, ["dump"])
    rows = try RepairedRows(of: path, herald)
    FileTree.removeStore(path)
  }

  private static func output(
    of herald: Herald, _ path: String, _ commands: [String]
  ) throws -> String {
    let outcome = try herald.run(path, commands)
    guard outcome.status == 0 else { throw Unusable(words: outcome.summary) }
    return outcome.output
  }

  struct Unusable: Error, CustomStringConvertible {
    let words: String
    var description: String { "the undamaged store cannot be used: \(words)" }
  }

  // MARK: The script

  private static func script(_ objects: Int, _ random: inout SplitMix64) -> String {
    var text = """
      embedded class Part { code: string; n: decimal; to: Thing }
      class Gone { n: int; name: string indexed; to: list<Gone> }
      class Other { label: string indexed; n: int; nick: string? }
      class Thing {
        id: int primary; name: string indexed; size: int? indexed; b: bool; d: double?; f: float
        m: decimal; raw: data?; when: date? indexed; u: uuid; o: objectid?; v: any indexed
        next: Thing; part: Part; parts: list<Part>; tags: set<string>; ints: list<int>
        scores: map<int>; friends: list<Thing>; circle: set<Thing>; byName: map<Thing>
        from: backlinks<Thing.next>; text: string?; spare: double?
      }
      add Gone [ { n: 1, name: "a" }, { n: 2, name: "b" }, { n: 3, name: "c" } ]

      """
    let step = 100
    for start in stride(from: 1, through: objects, by: step) {
      let ids = start..<min(start + step, objects + 1)
      text += "add Thing [\n" + ids.map { thing($0, &random) }.joined(separator: "\n") + "\n]\n"
      text += "write {\n" + ids.map { links($0, &random) }.joined(separator: "\n") + "\n}\n"
    }
    let labels = (0..<max(10, objects / 10)).map {
      "{ label: \"label \($0 % 7)\", n: \($0), nick: \"\($0)\" }"
    }
    text += "add Other [\n" + labels.joined(separator: "\n") + "\n]\n"
    text += "alter Thing { add extra: int = 5; drop spare; rename text to words }\n"
    text += "alter Other { n: string; drop nick }\ndrop Gone\n"
    let deleted = stride(from: 17, through: objects, by: 17).map(String.init)
    text += "delete Thing where id IN {\(deleted.joined(separator: ", "))}\n"
    // Consecutive commits, so that pages have been freed and reused.
    for _ in 0..<20 {
      let id = 1 + random.below(objects)
      text += "set Thing where id == \(id) { size: \(random.below(90)), name: \"again\" }\n"
    }
    return text
  }

  private static func thing(_ id: Int, _ random: inout SplitMix64) -> String {
    func some(_ text: String) -> String { random.below(4) == 0 ? "nil" : text }
    let hex = String(id, radix: 16)
    let tail = String(repeating: "0", count: 12 - hex.count) + hex
    let length = random.below(60) == 0 ? 3000 + random.below(6000) : random.below(40)
    let day = 1 + random.below(28)
    let anything = [
      "\(random.below(9))", "\"text\"", "nil", "[1, [2, \"x\"]]", "{a: 1.5, b: true}",
    ]
    return """
      { id: \(id), name: "name \(random.below(50))", size: \(some("\(random.below(90))")), \
      b: \(random.below(2) == 0), d: \(some("\(random.below(999)).25")), \
      f: \(random.below(99)).5, m: \(random.below(99_999)).\(random.below(99)), \
      raw: \(some("binary(\"AAEC\(random.below(10))Q==\")")), \
      when: \(some("202\(random.below(9))-0\(day % 9 + 1)-1\(day % 9)@10:30:00")), \
      u: uuid("9f2c1a52-6a5b-4b0e-8c1d-\(tail)"), o: \(some("oid(\"62e2905feb23\(tail)\")")), \
      v: \(anything[random.below(anything.count)]), \
      part: { code: "c\(random.below(9))", n: \(random.below(9)).5 }, \
      parts: [{ code: "p", n: 2 }, { code: "q" , n: 3 }], tags: ["a", "t\(random.below(9))"], \
      ints: [\((0..<random.below(12)).map { "\($0 * id)" }.joined(separator: ", "))], \
      scores: { a: \(random.below(9)), k\(random.below(9)): 1 }, \
      text: "\(String(repeating: "x", count: length))", spare: 1.5 }
      """
  }

  private static func links(_ id: Int, _ random: inout SplitMix64) -> String {
    let a = 1 + random.below(id)
    let b = 1 + random.below(id)
    return "set Thing#\(id) { next: Thing#\(a), friends: [Thing#\(a), Thing#\(b)], "
      + "circle: [Thing#\(b)], byName: { x: Thing#\(a) } }"
  }
}
