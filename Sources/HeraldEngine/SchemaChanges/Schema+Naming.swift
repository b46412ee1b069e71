package import HeraldModel

extension Schema {
  /// Returns a message of storage, which knows classes and properties by number only, with their names:
  /// `property 2 of class 1` and `column 1.2` become `Dog.age`, `class 1` becomes `Dog`. The number of a
  /// dropped class or property stays.
  package func named(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    var result: [String] = []
    var position = 0
    while position < words.count {
      if let (name, count) = name(at: words[position...]) {
        result.append(name)
        position += count
      } else {
        result.append(String(words[position]))
        position += 1
      }
    }
    return result.joined(separator: " ")
  }

  /// Returns the name that the first words form, and the number of these words.
  private func name(at words: ArraySlice<Substring>) -> (String, Int)? {
    let words = Array(words.prefix(5))
    switch words.first {
    case "property" where words.count == 5 && words[2] == "of" && words[3] == "class":
      let (classID, rest) = Self.number(words[4])
      guard let classID, let property = UInt32(words[1]) else { return nil }
      return name(classID, property).map { ($0 + rest, 5) }
    case "column" where words.count > 1:
      let parts = words[1].split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let classID = UInt32(parts[0]) else { return nil }
      let (property, rest) = Self.number(parts[1])
      return property.flatMap { name(classID, $0) }.map { ($0 + rest, 2) }
    case "class" where words.count > 1:
      let (classID, rest) = Self.number(words[1])
      guard let classID, let named = classSchema(ClassID(classID)) else { return nil }
      return (named.name + rest, 2)
    default: return nil
    }
  }

  /// Splits a word into a number and what follows it: a comma, or a colon.
  private static func number(_ word: Substring) -> (UInt32?, String) {
    let digits = word.prefix { $0.isNumber }
    return (UInt32(digits), String(word[digits.endIndex...]))
  }

  private func name(_ classID: UInt32, _ property: UInt32) -> String? {
    guard let classSchema = classSchema(ClassID(classID)) else { return nil }
    if property == 0 { return "the objects of \(classSchema.name)" }
    // The keys of a map are stored under a property number of their own.
    let (number, isKeys) = (property & ~(1 << 31), property >> 31 == 1)
    return classSchema.property(PropertyID(number)).map {
      (isKeys ? "the keys of " : "") + "\(classSchema.name).\($0.name)"
    }
  }
}
