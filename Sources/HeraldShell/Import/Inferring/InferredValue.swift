import Herald

/// What is known of the values of a column, of the elements of its arrays and of the members of its objects.
final class InferredValue {
  private(set) var kinds: ScalarKinds = []
  /// Whether a plain value of JSON is no string, so that values of several kinds are not all text.
  private var hasOther = false
  /// Whether a value is nil.
  var hasNil = false
  /// Whether a field of a CSV file is an empty string, which is nil unless the column is one of texts.
  private(set) var hasEmptyText = false
  private(set) var elements: InferredValue?
  private(set) var object: InferredObject?
  /// For a column whose name is that of a key.
  var key: KeyCandidate?

  init(isKey: Bool = false) { if isKey { key = KeyCandidate() } }

  /// Notes what the fields of a CSV file look like.
  func note(_ kinds: ScalarKinds, hasNil: Bool, hasEmptyText: Bool) {
    self.kinds.formUnion(kinds)
    if hasNil { self.hasNil = true }
    if hasEmptyText { self.hasEmptyText = true }
  }

  /// Notes a field of a log. One in quotes may be of any type, too: programs put all values in quotes, or none.
  func note(_ field: CSVField, isText: Bool) {
    var text = field.text
    text.withUTF8 { bytes in
      if key != nil { noteKey(bytes) }
      if bytes.isEmpty {
        note([], hasNil: !field.isQuoted, hasEmptyText: field.isQuoted)
      } else {
        let kind = isText ? .text : ScalarKinds.kind(of: CellText.trimmed(bytes))
        note(kind, hasNil: false, hasEmptyText: false)
      }
    }
  }

  /// Notes what the values of JSON look like that are neither arrays nor objects.
  func note(_ kinds: ScalarKinds, hasNil: Bool, hasOther: Bool) {
    self.kinds.formUnion(kinds)
    if hasNil { self.hasNil = true }
    if hasOther { self.hasOther = true }
  }

  /// Notes the text of a value of JSON in a column whose name is that of a key; nil is one that can be no key.
  func noteKey(ofJSON text: CellText.Bytes?) {
    if let text { key?.note(text) } else { key?.fail() }
  }

  /// Notes a field of a CSV file in a column whose name is that of a key.
  func noteKey(_ bytes: CellText.Bytes) { bytes.isEmpty ? key?.fail() : key?.note(bytes) }

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
    case .string, .digits:
      if let kind = ScalarKinds.kind(of: value) { kinds.insert(kind) }
    }
  }

  private func noteKey(_ value: JSONValue) {
    var text: String
    switch value {
    case .int(let number): text = String(number)
    case .string(let string), .digits(let string): text = string
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
    hasEmptyText = hasEmptyText || other.hasEmptyText
    if let others = other.key { key?.merge(others) }
    if let others = other.elements {
      if let elements { elements.merge(others) } else { elements = others }
    }
    if let others = other.object { if let object { object.merge(others) } else { object = others } }
  }
}

extension [JSONValue.Member] {
  /// The kind of a value that is written as an object which names its type, as MongoDB does.
  fileprivate var taggedKind: ScalarKinds? {
    guard let value = JSONValue.object(self).untagged else { return nil }
    switch (self[0].name, value) {
    case ("$oid", .string(let text)): return DocumentID(text) == nil ? nil : .objectID
    case ("$date", .string(let text)): return Timestamp(iso8601: text) == nil ? nil : .date
    case ("$uuid", .string(let text)): return UniqueID(text) == nil ? nil : .uuid
    case ("$decimal", .string(let text)), ("$numberDecimal", .string(let text)):
      return Decimal128(text) == nil ? nil : .decimal
    case ("$numberInt", .int), ("$numberLong", .int): return .int
    case ("$numberDouble", _): return value.scalar(as: .double) == nil ? nil : .double
    default: return nil
    }
  }
}
