/// A collection kept by what `follow` writes as JSON, and by nothing else.
struct FollowReplay {
  private(set) var keys: [Int?] = []
  private(set) var ages: [Int?] = []

  mutating func apply(_ line: String) throws {
    let rows = Self.objects(line, "rows")
    if line.contains("\"event\":\"initial\"") {
      (keys, ages) = (rows.map(\.key), rows.map(\.age))
      return
    }
    for row in Self.numbers(line, "deletions").reversed() {
      keys.remove(at: row)
      ages.remove(at: row)
    }
    for (row, object) in zip(Self.numbers(line, "insertions"), Self.objects(line, "inserted")) {
      keys.insert(object.key, at: row)
      ages.insert(object.age, at: row)
    }
    for (row, object) in zip(Self.numbers(line, "modificationsNew"), Self.objects(line, "modified"))
    {
      keys[row] = object.key
      ages[row] = object.age
    }
  }

  private static func text(_ line: String, _ name: String) -> Substring {
    guard let start = line.firstRange(of: "\"\(name)\":[") else { return "" }
    var depth = 1
    return line[start.upperBound...].prefix { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return depth > 0
    }
  }

  private static func numbers(_ line: String, _ name: String) -> [Int] {
    text(line, name).split(separator: ",").compactMap { Int($0) }
  }

  private static func objects(_ line: String, _ name: String) -> [(key: Int?, age: Int?)] {
    text(line, name).split(separator: "{\"class\"").map { object in
      (number(object, "\"key\":"), number(object, "\"age\":"))
    }
  }

  private static func number(_ text: Substring, _ name: String) -> Int? {
    text.firstRange(of: name).flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
  }
}
