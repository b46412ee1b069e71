package import HeraldModel
import HeraldObservation
import HeraldStorage

/// Adds objects of a class that give values to the same properties. What these objects have in common is looked up and
/// validated once.
package final class ObjectInsertion {
  let form: ClassForm
  /// The given properties, in the order of their values.
  private let names: [String]
  let columns: UnsafeMutableBufferPointer<Layout.Column>
  /// The types of the columns: comparing those of a column takes ten times as long.
  let kinds: UnsafeMutableBufferPointer<PlainKind>
  /// What the other properties begin with, where that is to be stored.
  let defaults: [(column: Layout.Column, value: Value)]
  /// The position of the primary key among the given properties.
  let keyPosition: Int?
  /// The numbers among the contents that are being added, as words; each content is taken out of its enum once.
  private let words: UnsafeMutableBufferPointer<Int>
  /// What these contents are; `other` for those that are neither numbers nor strings.
  private let given: UnsafeMutableBufferPointer<PlainKind>

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
    words = .allocate(capacity: indexes.count)
    words.initialize(repeating: 0)
    given = .allocate(capacity: indexes.count)
    given.initialize(repeating: .other)
  }

  deinit {
    columns.deallocate()
    kinds.deallocate()
    words.deallocate()
    given.deallocate()
  }

  /// Returns the indexes of properties of single values; nil if a name is unknown or repeated.
  private static func indexes(of names: [String], in form: ClassForm) -> [Int]? {
    var indexes: [Int] = []
    var taken: Set<Int> = []
    for name in names {
      guard let index = form.index(of: name, from: indexes.count), taken.insert(index).inserted,
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
    let given = Set(given)
    for index in form.columns.indices where !given.contains(index) {
      guard form.columns[index].canBeOmitted else { return nil }
    }
    for index in form.columnsWithDefault where !given.contains(index) {
      switch form.property(index).defaultContent {
      case .value(let value): defaults.append((form.columns[index], value))
      case .some: return nil
      case nil: defaults.append((form.columns[index], .null))
      }
    }
    return defaults
  }

  var classID: ClassID { form.schema.id }
  var className: String { form.schema.name }

  /// Returns the session's open write; nil if there is none, or if it stores the class in another way by now.
  @inline(__always)
  func current(_ session: Session) -> OpenWrite? {
    guard let write = session.writing.open, write.reader.layout.has(form) else { return nil }
    return write
  }

  /// Returns whether no object has an integer as its primary key. What searches for keys learn would be of no use here:
  /// most are new.
  @inline(__always)
  func isNew(_ key: Int, _ position: Int, _ write: OpenWrite) -> Bool {
    write.transaction.snapshot.firstIndexed(columns[position].id, key) == nil
  }
}

// MARK: Contents

extension ObjectInsertion {
  /// Adds an object with these contents, in a session with an open write. Returns nil, and changes nothing, unless all
  /// are of these properties, in their order, and none has to be coerced or is invalid: then `Session.add` decides.
  func add(
    _ contents: [NamedContent], in session: Session
  ) throws(HeraldError) -> (object: ObjectID, write: OpenWrite)? {
    guard contents.count == names.count, let write = current(session) else { return nil }
    for position in contents.indices {
      guard contents[position].name == names[position], take(contents[position].content, position)
      else { return nil }
    }
    if let keyPosition {
      guard try isNew(keyPosition, contents[keyPosition].content, write, in: session)
      else { return nil }
    }
    try session.beginStatement(of: write)
    do throws(StorageError) {
      let object = try write.create(form.schema.id)
      for position in 0..<columns.count {
        try begin(position, contents, object, write)
      }
      for (column, value) in defaults { try write.begin(column, of: object, with: value) }
      return (object, write)
    } catch {
      throw HeraldError(error)
    }
  }

  /// Notes what a content is; returns whether it neither has to be coerced nor is invalid.
  @inline(__always)
  private func take(_ content: PropertyContent, _ position: Int) -> Bool {
    let kind = kinds[position]
    switch content {
    case .value(.int(let value)) where kind == .int: words[position] = value
    case .value(.double(let value)) where kind == .double:
      words[position] = Int(bitPattern: UInt(value.bitPattern))
    case .value(.string) where kind == .text: break
    case .value, .list, .map:
      given[position] = .other
      return columns[position].keeps(content)
    }
    given[position] = kind
    return true
  }

  /// Sets the first value of the property at a position, whose content has been taken.
  @inline(__always)
  private func begin(
    _ position: Int, _ contents: [NamedContent], _ object: ObjectID, _ write: OpenWrite
  ) throws(StorageError) {
    let column = columns[position]
    switch given[position] {
    case .int:
      try write.transaction.setInteger(column.id, object.number, words[position])
      guard column.isIndexed else { return }
      try write.transaction.addToIndex(column.id, words[position], object.number)
    case .double where !column.isIndexed:
      let value = Double(bitPattern: UInt64(UInt(bitPattern: words[position])))
      try write.transaction.setDouble(column.id, object.number, value)
    case .text where !column.isIndexed:
      guard case .value(.string(let text)) = contents[position].content else { return }
      try text.utf8.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
        try write.transaction.beginBytes(column.id, object.number, bytes)
      }
    case .bool, .double, .date, .uuid, .text, .other:
      guard case .value(let value) = contents[position].content else { return }
      try write.begin(column, of: object, with: value)
    }
  }

  /// Returns whether no object has the primary key at a position, which has been taken.
  @inline(__always)
  private func isNew(
    _ position: Int, _ content: PropertyContent, _ write: OpenWrite, in session: Session
  ) throws(HeraldError) -> Bool {
    if given[position] == .int { return isNew(words[position], position, write) }
    guard case .value(let key) = content else { return true }
    return try session.find(form.schema, key: key) == nil
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
    guard let form = writing.reader?.layout.form(classSchema.id) else { return nil }
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
