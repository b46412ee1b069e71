import HeraldModel
import HeraldObservation

/// A predicate as the twin knows it: its text for the library, and its plain meaning.
indirect enum ModelPredicate {
  enum Comparison: String, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  enum Matching: String, CaseIterable {
    case begins = "BEGINSWITH"
    case ends = "ENDSWITH"
    case contains = "CONTAINS"
  }

  enum Quantifier: String, CaseIterable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  case compare([Int], Comparison, Value)
  /// A collection of the object, then a path from each element (empty: the element itself).
  case quantified(Quantifier, Int, [Int], Comparison, Value)
  case count(Int, Comparison, Int)
  case match([Int], Matching, String, foldsCase: Bool)
  case isIn([Int], [Value])
  case between([Int], Value, Value)
  case and(ModelPredicate, ModelPredicate)
  case or(ModelPredicate, ModelPredicate)
  case not(ModelPredicate)
}

extension ModelPredicate {
  func matches(_ object: ModelObject, _ state: ModelStore) -> Bool {
    switch self {
    case .compare(let path, let comparison, let value):
      return comparison.holds(state.value(path, of: object.id), value)
    case .quantified(let quantifier, let list, let rest, let comparison, let value):
      let results = state.rows(list, of: object.id).map { row in
        var found = row.value
        if !rest.isEmpty {
          // A map's value may be nil where its object was deleted.
          found = row.value.links.first.map { state.value(rest, of: $0) } ?? .null
        }
        return comparison.holds(found, value)
      }
      switch quantifier {
      case .any: return results.contains(true)
      case .all: return !results.contains(false)
      case .none: return !results.contains(true)
      }
    case .count(let list, let comparison, let number):
      return comparison.holds(.int(state.rows(list, of: object.id).count), .int(number))
    case .match(let path, let matching, let text, let foldsCase):
      guard case .string(let found) = state.value(path, of: object.id) else { return false }
      return matching.holds(
        foldsCase ? found.lowercased() : found, foldsCase ? text.lowercased() : text)
    case .isIn(let path, let values): return values.contains(state.value(path, of: object.id))
    case .between(let path, let low, let high):
      let found = state.value(path, of: object.id)
      return Comparison.atLeast.holds(found, low) && Comparison.atMost.holds(found, high)
    case .and(let a, let b): return a.matches(object, state) && b.matches(object, state)
    case .or(let a, let b): return a.matches(object, state) || b.matches(object, state)
    case .not(let a): return !a.matches(object, state)
    }
  }

  func text(_ schema: ModelSchema, _ type: Int) -> String {
    switch self {
    case .compare(let path, let comparison, let value):
      return "\(schema.name(path, from: type)) \(comparison.rawValue) \(value.literal)"
    case .quantified(let quantifier, let list, let rest, let comparison, let value):
      let isMap = schema.classes[type].properties[list].shape == .map
      var names = schema.names([list] + rest, from: type)
      if isMap { names.insert("@values", at: 1) }
      if rest.count > 1, let links = schema.links(list, of: type) { names[0] = links }
      let name = names.joined(separator: ".")
      return "\(quantifier.rawValue) \(name) \(comparison.rawValue) \(value.literal)"
    case .count(let list, let comparison, let number):
      let links = number.isMultiple(of: 2) ? schema.links(list, of: type) : nil
      let name = links ?? schema.name([list], from: type)
      return "\(name).@count \(comparison.rawValue) \(number)"
    case .match(let path, let matching, let text, let foldsCase):
      let word = matching.rawValue + (foldsCase ? "[c]" : "")
      return "\(schema.name(path, from: type)) \(word) \(Value.string(text).literal)"
    case .isIn(let path, let values):
      let list = values.map(\.literal).joined(separator: ", ")
      return "\(schema.name(path, from: type)) IN {\(list)}"
    case .between(let path, let low, let high):
      return "\(schema.name(path, from: type)) BETWEEN {\(low.literal), \(high.literal)}"
    case .and(let a, let b): return "(\(a.text(schema, type)) AND \(b.text(schema, type)))"
    case .or(let a, let b): return "(\(a.text(schema, type)) OR \(b.text(schema, type)))"
    case .not(let a): return "NOT (\(a.text(schema, type)))"
    }
  }
}

extension ModelSchema {
  /// The name of backlinks that needs no property, `@links.Dog.owner`; nil for other properties.
  fileprivate func links(_ property: Int, of type: Int) -> String? {
    let backlinks = classes[type].properties[property]
    guard let target = backlinks.target, let origin = backlinks.origin else { return nil }
    return "@links.\(classes[target].name).\(classes[target].properties[origin].name)"
  }
}

extension ModelPredicate.Comparison {
  /// `nil` equals only nil; ordered comparisons with nil are false.
  func holds(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .equal: return a == b
    case .unequal: return a != b
    case .less, .atMost, .greater, .atLeast: break
    }
    guard !a.isNull, !b.isNull else { return false }
    switch self {
    case .equal, .unequal: return false
    case .less: return a.precedes(b)
    case .atMost: return !b.precedes(a)
    case .greater: return b.precedes(a)
    case .atLeast: return !a.precedes(b)
    }
  }
}

extension ModelPredicate.Matching {
  func holds(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard part.count <= text.count else { return false }
    switch self {
    case .begins: return Array(text.prefix(part.count)) == part
    case .ends: return Array(text.suffix(part.count)) == part
    case .contains:
      return (0...(text.count - part.count)).contains { start in
        Array(text[start..<(start + part.count)]) == part
      }
    }
  }
}

extension Value {
  /// The total order of values: nil first, false before true, strings by code point; of different
  /// types by type, numbers of every type being one.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.bool(let a), .bool(let b)): !a && b
    case (.string(let a), .string(let b)):
      a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.date(let a), .date(let b)): a < b
    case (.link(let a), .link(let b)): a < b
    case (.int(let a), .int(let b)): a < b
    case (.list(let a), .list(let b)): a.precedes(b)
    case (.map(let a), .map(let b)):
      a.keys.sorted().flatMap { [.string($0), a[$0] ?? .null] }
        .precedes(b.keys.sorted().flatMap { [.string($0), b[$0] ?? .null] })
    case (_, _):
      if let a = number, let b = other.number { a < b } else { rank < other.rank }
    }
  }

  private var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case _: nil
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectID: 6
    case .uuid: 7
    case .link: 8
    case .list: 9
    case .map: 10
    }
  }

  /// The value as it is typed in a predicate.
  var literal: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .data(let value): "data\(value)"
    case .date(let value): "T\(value.seconds):\(value.nanoseconds)"
    case .link(let value): "#\(value.classID.rawValue).\(value.number)"
    case .decimal(let value): value.description
    case .uuid(let value): "uuid(\(value))"
    case .objectID(let value): "oid(\(value))"
    case .list(let values): "[" + values.map(\.literal).joined(separator: ", ") + "]"
    case .map(let entries): "\(entries.inKeyOrder.map { "\($0.key): \($0.value.literal)" })"
    }
  }
}

extension [Value] {
  /// The first elements that differ decide, then the shorter is first.
  fileprivate func precedes(_ other: [Value]) -> Bool {
    for (a, b) in zip(self, other) where a != b { return a.precedes(b) }
    return count < other.count
  }
}
