import TestSupport

/// The inputs that are mutated, and the words that are inserted.
struct Corpus {
  let seeds: [[UInt8]]
  let words: [[UInt8]]
  private static let maximumLength = 20_000

  /// The classes and objects for statements and predicates.
  static let preparation = """
    embedded class Part { code: string; n: decimal }
    class Row { id: int primary; name: string?; n: double?; on: bool?; v: any; l: list<int> }
    class Thing {
      id: int primary; name: string indexed; size: int? indexed; b: bool?; d: double?; f: float?
      m: decimal?; raw: data?; when: date?; u: uuid?; o: objectid?; v: any; next: Thing
      part: Part; parts: list<Part>; tags: set<string>; ints: list<int>; scores: map<int>
      friends: list<Thing>; byName: map<Thing>; from: backlinks<Thing.next>
    }
    projection Card of Thing { title: name; size: next.size }
    add Thing [ { id: 1, name: "a", size: 1, v: [1, {a: 2}], ints: [1, 2], part: {code: "c", n: 1} }
      { id: 2, name: "b", d: 1.5, m: 2.25, tags: ["x"], scores: {k: 1}, when: 2026-11-21@10:30:00 }
      { id: 3, name: "ß", raw: binary("AAEC"), u: uuid("9f2c1a52-6a5b-4b0e-8c1d-000000000003") } ]
    write { set Thing#1 { next: Thing#2, friends: [Thing#2, Thing#3], byName: {x: Thing#3} }
      set Thing#2.next = Thing#1 }
    let $x = Thing#1; let $rows = Thing where size > 0 sort(name)
    observe Thing where size > 0 sort(name) as rows; observe $x as one; observe $x.friends as list

    """

  /// Reads the entries of the reader's file, which are separated by lines of `%%`.
  init(_ reader: FuzzReader) {
    let folder = String(#filePath.dropLast("Corpus.swift".count)) + "Corpus/"
    let text = FileTree.text(folder + "\(reader).txt")
    seeds = text.split(separator: "%%\n").map { Array($0.utf8.dropLast()) }
    words = FileTree.text(folder + "words.txt").split(separator: "\n").map { Array($0.utf8) }
  }

  /// Returns a mutated seed.
  func input(_ random: inout SplitMix64) -> [UInt8] {
    guard !seeds.isEmpty, !words.isEmpty else { return [] }
    var bytes = seeds[random.below(seeds.count)]
    for _ in 0...random.below(6) { change(&bytes, &random) }
    if bytes.count > Self.maximumLength { bytes.removeLast(bytes.count - Self.maximumLength) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let offset = random.below(bytes.count + 1)
    let end = min(bytes.count, offset + 1 + random.below(8))
    switch random.below(10) {
    case 0 where offset < bytes.count: bytes[offset] ^= 1 << UInt8(random.below(8))
    case 1 where offset < bytes.count: bytes[offset] = UInt8(random.below(256))
    case 2: bytes.removeSubrange(offset..<max(offset, end))
    case 3: bytes.insert(contentsOf: bytes[offset..<max(offset, end)], at: random.below(offset + 1))
    case 4, 5, 6: bytes.insert(contentsOf: words[random.below(words.count)] + [32], at: offset)
    case 7:
      let other = seeds[random.below(seeds.count)]
      let start = random.below(other.count + 1)
      bytes.replaceSubrange(offset..., with: other[start...])
    case 8 where random.below(20) == 0:
      // Deep nesting and long repetitions.
      let piece = Array(bytes[offset..<max(offset, end)])
      let many = repeatElement(piece.isEmpty ? [40] : piece, count: 1 + random.below(3000))
      bytes.insert(contentsOf: many.joined(), at: offset)
    case 9: bytes.insert(UInt8(random.below(256)), at: offset)
    default: bytes.insert(contentsOf: Self.numbers[random.below(Self.numbers.count)], at: offset)
    }
  }

  private static let numbers: [[UInt8]] = [
    "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308",
    "1e999",
    "-0.0", "0.1", "255", "4294967296", "nan", "inf", "12345678901234567890.1234567890", "1e-400",
  ].map { Array($0.utf8) }
}
