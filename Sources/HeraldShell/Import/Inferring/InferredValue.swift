import Herald

/// What is known of the values of a column, of the elements of its arrays and of the members of its objects.
final class InferredValue {
  private(set) var kinds: ScalarKinds = []
  /// Whether a plain value of JSON is no string, so that values of several kinds are not all text.
  private var hasOther = false
  /// Whether a value is nil.
  var hasNil = false
  private(set) var elements: InferredValue?
  private(set) var object: InferredObject?
  /// For a column whose name is that of a key.
  var key: KeyCandidate?

  init(isKey: Bool = false) {
    if isKey { key = KeyCandidate() }
  }

  /// Notes a field of a CSV file; text that is not empty.
  @inline(__always)
  func note(_ bytes: CellText.Bytes, isQuoted: Bool) {
    if bytes.isEmpty {
      if isQuoted { kinds.insert(.text) } else { hasNil = true }
    } else if !kinds.contains(.text) {
      kinds.insert(ScalarKinds.kind(of: isQuoted ? bytes : CellText.trimmed(bytes)))
    }
    if key != nil { bytes.isEmpty ? key?.fail() : key?.note(bytes) }
  }

  func note(_ value: JSONValue) {
    if key != nil { noteKey(value) }
    switch value {
    case .null: hasNil = true
    case .array(let values):
      let elements = self.elements ?? InferredValue()
      self.elements = elements
      for value in values { elements.note(value) }
    case .object(let members):
      if let kind = members.taggedKind {
        kinds.insert(kind)
        hasOther = true
        return
      }
      let object = self.object ?? InferredObject()
      self.object = object
      object.note(members)
    case .bool, .int, .double, .decimal:
      if let kind = ScalarKinds.kind(of: value) { kinds.insert(kind) }
      hasOther = true
    case .string:
      if let kind = ScalarKinds.kind(of: value) { kinds.insert(kind) }
    }
  }

  private func noteKey(_ value: JSONValue) {
    var text: String
    switch value {
    case .int(let number): text = String(number)
    case .string(let string): text = string
    case .object(let members) where members.taggedKind == .objectID:
      text = members[0].value.description
    case .null, .bool, .double, .decimal, .array, .object: return key?.fail() ?? ()
    }
    text.withUTF8 { key?.note($0) }
  }

  /// Whether all plain values were strings.
  var isText: Bool { !kinds.isEmpty && !hasOther }

  /// Takes what is known of other values.
  func merge(_ other: InferredValue) {
    kinds.formUnion(other.kinds)
    hasOther = hasOther || other.hasOther
    hasNil = hasNil || other.hasNil
    if let others = other.elements {
      if let elements { elements.merge(others) } else { elements = others }
    }
    if let others = other.object {
      if let object { object.merge(others) } else { object = others }
    }
  }
}

extension [JSONValue.Member] {
  /// The kind of a value that is written as an object which names its type, as MongoDB does.
  fileprivate var taggedKind: ScalarKinds? {
    guard count == 1, case .string(let text) = self[0].value else { return nil }
    switch self[0].name {
    case "$oid": return DocumentID(text) == nil ? nil : .objectID
    case "$date": return Timestamp(iso8601: text) == nil ? nil : .date
    case "$uuid": return UniqueID(text) == nil ? nil : .uuid
    case "$decimal", "$numberDecimal": return Decimal128(text) == nil ? nil : .decimal
    default: return nil
    }
  }
}

/// What is known of the members of objects.
final class InferredObject {
  /// The number of names above which objects are maps whatever they contain.
  private static let mostNames = 500

  private(set) var count = 0
  private(set) var names: [String] = []
  private var indexes: [MapKey: Int] = [:]
  private var values: [InferredValue] = []
  private var appearances: [Int] = []
  /// What is known of all members, once there are too many names.
  private var entries: InferredValue?

  func note(_ members: [JSONValue.Member]) {
    count += 1
    for (position, member) in members.enumerated() {
      if let entries {
        entries.note(member.value)
        continue
      }
      let index = index(of: member.name, near: position)
      appearances[index] += 1
      values[index].note(member.value)
    }
    collapseIfWide()
  }

  private func index(of name: String, near position: Int) -> Int {
    if position < names.count, names[position].hasSameBytes(as: name) { return position }
    if let index = indexes[MapKey(name)] { return index }
    names.append(name)
    indexes[MapKey(name)] = values.count
    values.append(InferredValue())
    appearances.append(0)
    return values.count - 1
  }

  func merge(_ other: InferredObject) {
    count += other.count
    if let others = other.entries {
      if entries == nil { collapse() }
      entries?.merge(others)
    }
    for (name, (value, appearance)) in zip(other.names, zip(other.values, other.appearances)) {
      if let entries {
        entries.merge(value)
        continue
      }
      let index = index(of: name, near: 0)
      appearances[index] += appearance
      values[index].merge(value)
    }
    collapseIfWide()
  }

  private func collapseIfWide() {
    if names.count > Self.mostNames { collapse() }
  }

  private func collapse() {
    entries = merged
    (names, indexes, values, appearances) = ([], [:], [], [])
  }

  /// The members in the order of their names' first appearance, with whether each object has them.
  var members: [(name: String, value: InferredValue, isAlwaysThere: Bool)] {
    names.indices.map { (names[$0], values[$0], appearances[$0] == count) }
  }

  /// What is known of all members together.
  var merged: InferredValue {
    if let entries { return entries }
    let all = InferredValue()
    for value in values { all.merge(value) }
    return all
  }

  /// Whether the names are data: there are many, of which each object has few, or they could be no names of
  /// properties.
  var isMap: Bool {
    if entries != nil || names.isEmpty { return true }
    let most = appearances.max() ?? 0
    if names.count >= 10, most * 2 < count { return true }
    let valid = Set(names.map(PropertyNames.valid))
    return valid.count < names.count || valid.contains("")
      || names.contains { $0.utf8.first.map(Byte.isDigit) ?? true }
  }
}
