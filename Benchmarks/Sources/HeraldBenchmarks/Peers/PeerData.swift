import Glibc

/// What the works need: the same people everywhere, and dogs without a key or an index.
final class PeerData {
  let size: Int
  let folder: TemporaryFolder
  let census: Census
  let dogs: PeerDogs

  /// The number of rows of the file to import, for each row of the others.
  static let importFactor = 10

  var importedCount: Int { size * Self.importFactor }
  /// The people, for duckdb.
  var peopleFile: String { folder.file("people.csv") }
  /// The dogs, for GRDB.
  var dogsFile: String { folder.file("dogs.sqlite") }
  /// Twelve columns of JSON Lines, to import.
  var linesFile: String { folder.file("lines.jsonl") }
  /// Three columns, to import.
  var importedFile: String { folder.file("entries.csv") }

  init(_ size: Int) throws {
    self.size = size
    folder = try TemporaryFolder()
    census = try Census(size)
    dogs = try PeerDogs(size)
    try dogs.database.execute("VACUUM INTO '\(dogsFile)'")
    try writePeople()
    try writeEntries()
    try writeLines()
  }

  private func writeLines() throws {
    var random = SplitMix64(seed: 4)
    try Self.write(linesFile, nil, size) { index in
      let (a, b) = (random.next(), random.next())
      let x = Double(a >> 11) * 0x1p-53 * 1_000
      let date = "2026-0\(1 + a % 9)-1\((a >> 8) % 10)T0\(b % 10):00:00Z"
      return "{\"id\":\(index),\"name\":\"Person \(a % 10_000)\",\"age\":\(b % 100),\"x\":\(x),"
        + "\"when\":\"\(date)\",\"isGone\":\(b & 256 == 0),\"note\":\"a text of some length \(b % 1_000_000)\","
        + "\"count\":\(a % 1_000_000),\"price\":\(Double(b % 100_000) / 100),\"city\":\"Town \(a % 500)\","
        + "\"rank\":\(b % 7 == 0 ? "null" : "\(b % 50)"),\"code\":\"\(b % 90_000)\"}"
    }
  }

  private func writePeople() throws {
    try Self.write(peopleFile, "id,name,age,weight,chip,plate", census.people.count) { index in
      let person = census.people[index]
      return "\(person.id),\(person.name),\(person.age),\(person.weight),\(person.number),"
        + "\(person.number)"
    }
  }

  private func writeEntries() throws {
    var random = SplitMix64(seed: 3)
    try Self.write(importedFile, "name,age,weight", importedCount) { index in
      let number = random.next()
      return "Entry \(index),\(number % 100),\(Double(number >> 32 & 0xFFFF) / 16)"
    }
  }

  private static func write(
    _ path: String, _ head: String?, _ count: Int, _ line: (Int) -> String
  ) throws {
    guard let file = fopen(path, "w") else { throw WrongWork(description: "no file \(path)") }
    if let head { fputs(head + "\n", file) }
    for index in 0..<count { fputs(line(index) + "\n", file) }
    try require(fclose(file) == 0, "\(path) cannot be written")
  }
}
