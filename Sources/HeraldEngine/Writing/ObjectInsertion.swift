package import HeraldModel
import HeraldObservation
import HeraldStorage

/// Adds objects of a class that give values to the same properties. What these objects have in common is looked up and
/// validated once.
package final class ObjectInsertion {
  private let form: ClassForm
  /// The given properties, in the order of their values.
  private let names: [String]
  private let columns: UnsafeMutableBufferPointer<Layout.Column>
  /// The types of the columns: comparing those of a column takes ten times as long.
  private let kinds: UnsafeMutableBufferPointer<PlainKind>
  /// What the other properties begin with, where that is to be stored.
  private let defaults: [(column: Layout.Column, value: Value)]
  /// The position of the primary key among the given properties.
  private let keyPosition: Int?

  /// Returns nil if `Session.add` must add the objects: it reports what is wrong with the names, and knows properties
  /// that are no single values, or links.
  init?(of form: ClassForm, _ names: [String]) {
    guard form.undeclared == nil, !form.schema.isEmbedded, !form.generates,
      let indexes = Self.indexes(of: names, in: form),
      let defaults = Self.defaults(of: form, without: indexes)
    else { return nil }
    let key = form.schema.primaryKey.flatMap { form.schema.order(of: $0.id) }
    keyPosition = key.flatMap { indexes.firstIndex(of: $0) }
    if key != nil, keyPosition == nil { return nil }
    self.form = form
    self.names = names
    self.defaults = defaults
    columns = .allocate(capacity: indexes.count)
    _ = columns.initialize(from: indexes.lazy.map { form.columns[$0] })
    kinds = .allocate(capacity: indexes.count)
    _ = kinds.initialize(from: indexes.lazy.map { PlainKind(form.columns[$0].element) })
  }

  deinit {
    columns.deallocate()
    kinds.deallocate()
  }

  /// Returns the indexes of properties of single values; nil if a name is unknown or repeated.
  private static func indexes(of names: [String], in form: ClassForm) -> [Int]? {
    var indexes: [Int] = []
    for name in names {
      guard let index = form.index(of: name, from: indexes.count), !indexes.contains(index),
        form.columns[index].isSingle, !form.columns[index].element.mayHoldLinks
      else { return nil }
      indexes.append(index)
    }
    return indexes
  }

  /// Returns the values of the properties that are not given; nil if one has to be, or begins with more than a value.
  private static func defaults(
    of form: ClassForm, without given: [Int]
  ) -> [(column: Layout.Column, value: Value)]? {
    var defaults: [(column: Layout.Column, value: Value)] = []
    for index in form.columns.indices where !given.contains(index) {
      let column = form.columns[index]
      guard column.canBeOmitted else { return nil }
      switch form.property(index).defaultContent {
      case .value(let value): defaults.append((column, value))
      case .some: return nil
      case nil where column.isSingle && column.isIndexed: defaults.append((column, .null))
      case nil: break
      }
    }
    return defaults
  }

  var classID: ClassID { form.schema.id }
  var className: String { form.schema.name }

  /// Whether it still says how the class is stored.
  private func isCurrent(_ session: Session) -> Bool {
    guard case .open(let write) = session.writing else { return false }
    return write.reader.layout.form(form.schema.id) === form
  }
}

// MARK: Contents

extension ObjectInsertion {
  /// Adds an object with these contents, in a session with an open write. Returns nil, and changes nothing, unless all
  /// are of these properties, in their order, and none has to be coerced or is invalid: then `Session.add` decides.
  func add(
    _ contents: [NamedContent], in session: Session
  ) throws(HeraldError) -> (object: ObjectID, write: OpenWrite)? {
    guard contents.count == names.count, isCurrent(session) else { return nil }
    for position in contents.indices {
      guard contents[position].name == names[position],
        columns[position].keeps(contents[position].content)
      else { return nil }
    }
    if let keyPosition, case .value(let key) = contents[keyPosition].content,
      try session.find(form.schema, key: key) != nil
    {
      return nil
    }
    let write = try session.openWrite()
    do throws(StorageError) {
      let object = try write.create(form.schema.id)
      for position in contents.indices {
        try write.begin(columns[position], of: object, withKept: contents[position].content)
      }
      for (column, value) in defaults { try write.begin(column, of: object, with: value) }
      return (object, write)
    } catch {
      throw HeraldError(error)
    }
  }
}

extension OpenWrite {
  /// Sets the first value of a property of an object that was just created.
  @inline(__always)
  fileprivate func begin(
    _ column: Layout.Column, of object: ObjectID, withKept content: PropertyContent
  ) throws(StorageError) {
    if try begin(column, of: object, withPlain: content) { return }
    if case .value(let value) = content { try begin(column, of: object, with: value) }
  }
}

// MARK: Plain values

extension ObjectInsertion {
  /// Adds an object with a value for each of the properties, in a session with an open write, and returns its number.
  /// Returns nil, and changes nothing, if a value has to be coerced, is invalid, or is the key of another object: then
  /// `Session.add` decides.
  ///
  /// Errors: those of the storage, such as `full`; `writeTooLarge`.
  package func add(
    _ values: UnsafeBufferPointer<PlainValue>, in session: Session
  ) throws(HeraldError) -> ObjectNumber? {
    guard values.count == columns.count, isCurrent(session) else { return nil }
    for position in 0..<columns.count
    where !kinds[position].keeps(values[position], isOptional: columns[position].isOptional) {
      return nil
    }
    if let keyPosition, try session.find(form.schema, key: values[keyPosition].value) != nil {
      return nil
    }
    let write = try session.openWrite()
    do throws(StorageError) {
      let object = try write.create(form.schema.id)
      for position in 0..<columns.count {
        try write.begin(columns[position], of: object, withPlain: values[position])
      }
      for (column, value) in defaults { try write.begin(column, of: object, with: value) }
      return object.number
    } catch {
      throw HeraldError(error)
    }
  }
}

/// The type of a property, as far as plain values can be of it.
private enum PlainKind: UInt8 {
  case bool, int, double, date, uuid, text, other

  init(_ element: ElementType) {
    self =
      switch element {
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .date: .date
      case .uuid: .uuid
      case .string: .text
      case .float, .data, .decimal, .objectID, .any, .link: .other
      }
  }

  /// Returns whether a value needs neither validation nor another coercion than that of an int to a double.
  @inline(__always)
  func keeps(_ value: PlainValue, isOptional: Bool) -> Bool {
    switch value {
    case .null: isOptional
    case .bool: self == .bool
    case .int: self == .int || self == .double
    case .double: self == .double
    case .date: self == .date
    case .uuid: self == .uuid
    case .text: self == .text
    }
  }
}

extension OpenWrite {
  /// Sets the first value of a property of an object that was just created.
  @inline(__always)
  fileprivate func begin(
    _ column: Layout.Column, of object: ObjectID, withPlain value: PlainValue
  ) throws(StorageError) {
    let (id, number) = (column.id, object.number)
    switch value {
    case .null: break
    case .bool(let value): try transaction.setInteger(id, number, value ? 1 : 0)
    case .int(let value) where column.kind == .doubles:
      try transaction.setDouble(id, number, Double(value))
    case .int(let value): try transaction.setInteger(id, number, value)
    case .double(let value): try transaction.setDouble(id, number, value)
    case .date(let value): try transaction.set(id, .dates, number, .date(value))
    case .uuid(let value):
      try value.bytes.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
        try transaction.setBytes(id, number, bytes)
      }
    case .text(let bytes): try transaction.beginBytes(id, number, bytes)
    }
    if column.isIndexed { try index(value, column, number) }
  }

  /// Adds a value to the index of its column.
  private func index(
    _ value: PlainValue, _ column: Layout.Column, _ number: ObjectNumber
  ) throws(StorageError) {
    if case .int(let value) = value, column.kind == .integers {
      return try transaction.addToIndex(column.id, .integer(value), number)
    }
    let whole = value.value
    let kept = whole.coerced(to: column.element) ?? whole
    try transaction.addToIndex(column.id, column.indexed(kept), number)
  }
}

// MARK: Similar additions

/// What `Session.add` knows of the last objects that it added, for the next ones.
struct RepeatedInsertions {
  /// Adds objects like those that were added last; nil until there are two of the same class.
  private(set) var insertion: ObjectInsertion?
  private var lastForm: ClassForm?
  /// How many objects of that class in a row were added without an insertion.
  private var count = 0

  /// Notes that an object was added without the insertion.
  mutating func note(_ form: ClassForm, _ contents: [NamedContent]) {
    if lastForm !== form { (lastForm, count) = (form, 0) }
    count += 1
    // If it is of no use for the next objects, another one is tried now and then.
    guard count == 2 || count & 0xFF == 0 else { return }
    insertion = ObjectInsertion(of: form, contents.map(\.name)) ?? insertion
  }
}

extension Session {
  /// Prepares for adding objects of a class that give values to these properties. Returns nil if `add` must add them.
  package func insertion(of classSchema: ClassSchema, _ names: [String]) -> ObjectInsertion? {
    guard case .open(let write) = writing, let form = write.reader.layout.form(classSchema.id)
    else { return nil }
    return ObjectInsertion(of: form, names)
  }

  /// Adds an object like the last ones, whose class has this name, and returns it with the outcome of the write; nil,
  /// and changes nothing, if it is unlike these.
  package func addAgain(
    _ className: String, _ contents: [NamedContent]
  ) throws(HeraldError) -> (object: ObjectID, outcome: WriteOutcome)? {
    guard let insertion = repeatedInsertions.insertion, insertion.className == className,
      let (object, write) = try insertion.add(contents, in: self)
    else { return nil }
    return (object, write.fate)
  }
}
