package import HeraldModel
package import HeraldQuery
package import HeraldStorage

/// The objects of one storage transaction, as queries and live views read them.
package final class TransactionReader: ObjectReader {
  package let storage: StorageSnapshot
  // Read for every value: a check of each access takes as long as finding the value.
  @exclusivity(unchecked) package internal(set) var layout: Layout {
    didSet {
      referring?.layout = layout
      if layout !== oldValue { storage.epoch?.end() }
    }
  }
  /// The predictions for the integer keys of each column that was looked up.
  var keyLines: [(column: ColumnID, line: KeyPrediction)] = []
  /// Set while an interruptible operation runs.
  var interruption: Interruption?
  /// Whether it reads nested lists and maps, rather than the references to them.
  let readsNested: Bool
  /// The same with references to nested lists and maps, once it was used.
  private var referring: TransactionReader?

  var hasReferring: Bool { referring != nil }

  package convenience init(_ storage: StorageSnapshot, layout: Layout) {
    self.init(storage, layout: layout, readsNested: true)
  }

  init(_ storage: StorageSnapshot, layout: Layout, readsNested: Bool) {
    self.storage = storage
    self.layout = layout
    self.readsNested = readsNested
  }

  /// The same with references to nested lists and maps.
  package var stored: TransactionReader {
    guard readsNested else { return self }
    if let referring { return referring }
    let new = TransactionReader(storage, layout: layout, readsNested: false)
    referring = new
    return new
  }

  package var references: any ObjectReader { stored }

  /// Whether a column's values have to be made whole when they are read.
  private func isReferring(_ column: Layout.Column) -> Bool {
    readsNested && column.isAny
  }

  /// The committed version that the transaction began at.
  var version: Int { storage.version }

  package var schema: Schema { layout.schema }

  package var isInterrupted: Bool { interruption?.isRequested ?? false }

  package func withInterruption<R>(
    _ interruption: Interruption?, _ body: () throws -> R
  ) rethrows -> R {
    let before = self.interruption
    self.interruption = interruption
    defer { self.interruption = before }
    return try body()
  }

  package func exists(_ object: ObjectID) -> Bool {
    storage.isPresent(object.classID.rawValue, object.number)
  }

  package func value(_ property: PropertyID, of object: ObjectID) -> Value {
    guard let column = layout.column(property, of: object.classID) else { return .null }
    return value(column, object.number)
  }

  package func append(
    _ properties: [PropertyID], of object: ObjectID, to values: inout [Value]
  ) {
    let form = layout.form(object.classID)
    for property in properties {
      values.append(form?.column(property).map { value($0, object.number) } ?? .null)
    }
  }

  func value(_ column: Layout.Column, _ number: ObjectNumber) -> Value {
    switch column.kind {
    case .integers:
      return storage.integer(column.id, number).map(column.integerValue) ?? .null
    case .doubles:
      return storage.double(column.id, number).map(Value.double) ?? .null
    case .floats:
      return storage.float(column.id, number).map(Value.float) ?? .null
    case .dates:
      return storage.date(column.id, number).map(Value.date) ?? .null
    case .bytes:
      let value = storage.withBytes(column.id, number) { bytes in
        bytes.map(column.bytesValue) ?? .null
      }
      return isReferring(column) ? whole(value) : value
    }
  }

  /// Returns a single-valued property by its name; nil if there is no such property or object. Some tens
  /// of nanoseconds if the block was read recently. Calls `note` with the column of a value that is not nil.
  @inline(__always)
  func value(
    named name: String, of object: ObjectID, note: (Layout.Column) -> Void = { _ in }
  ) -> Value? {
    guard let form = layout.form(object.classID), let index = form.index(of: name, from: 0) else {
      return nil
    }
    let column = form.columns[index]
    guard column.isSingle else { return nil }
    let value = value(column, object.number)
    // A deleted object's values are nil, so only nil needs the check.
    if case .null = value { return exists(object) ? value : nil }
    note(column)
    return value
  }

  package func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    guard let column = layout.column(property, of: object.classID) else { return 0 }
    if column.isBacklinks { return backlinks(property, of: object).count }
    return storage.listCount(column.list(of: object.number))
  }

  package func listElement(
    _ property: PropertyID, of object: ObjectID, at index: Int
  ) -> Value {
    guard let column = layout.column(property, of: object.classID) else { return .null }
    if column.isBacklinks { return backlinks(property, of: object)[index] }
    let value = column.value(
      storage.listElement(column.list(of: object.number), column.kind, at: index))
    return isReferring(column) ? whole(value) : value
  }

  package func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int {
    guard let column = layout.column(property, of: object.classID), !column.isBacklinks
    else { return 0 }
    return storage.listPartition(column.list(of: object.number), column.kind) {
      isBefore(column.value($0))
    }
  }

  package func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int {
    guard let column = layout.column(property, of: object.classID) else { return 0 }
    return storage.listPartition(column.keys(of: object.number), .bytes) {
      isBefore(Self.key($0))
    }
  }

  package func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    guard let column = layout.column(property, of: object.classID) else { return }
    if column.isBacklinks {
      for origin in backlinks(property, of: object) {
        guard try body(origin) else { return }
      }
      return
    }
    if isReferring(column) {
      let references = stored
      return try storage.forEachListElement(column.list(of: object.number), column.kind) {
        try body(column.value($0).whole { references.nestedContents($0) })
      }
    }
    try storage.forEachListElement(column.list(of: object.number), column.kind) {
      try body(column.value($0))
    }
  }

  package func mapKey(
    _ property: PropertyID, of object: ObjectID, at index: Int
  ) -> String {
    guard let column = layout.column(property, of: object.classID) else { return "" }
    return Self.key(storage.listElement(column.keys(of: object.number), .bytes, at: index))
  }

  package func mapKeys(_ property: PropertyID, of object: ObjectID) -> [String] {
    guard let column = layout.column(property, of: object.classID) else { return [] }
    var keys: [String] = []
    storage.forEachListElement(column.keys(of: object.number), .bytes) {
      keys.append(Self.key($0))
      return true
    }
    return keys
  }

  private static func key(_ stored: StoredValue) -> String {
    guard case .bytes(let bytes) = stored else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the origins of a backlinks property, each once per link.
  private func backlinks(_ property: PropertyID, of object: ObjectID) -> [Value] {
    guard let type = schema.classSchema(object.classID)?.property(property)?.type,
      let origin = schema.origin(of: type)
    else { return [] }
    var origins: [Value] = []
    forEachOrigin(of: object, origin: origin.classID, property: origin.property.id) {
      number, links in
      for _ in 0..<links { origins.append(.link(ObjectID(origin.classID, number))) }
      return true
    }
    return origins
  }

  package func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    guard let column = layout.column(property, of: origin) else { return }
    try storage.forEachOrigin(
      ofClass: target.classID.rawValue, number: target.number, through: column.id, body)
  }

  package func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    guard let column = layout.column(property, of: origin) else { return 0 }
    return storage.linkCount(
      from: number, through: column.id, toClass: target.classID.rawValue, number: target.number)
  }

  package func objectCount(of classID: ClassID) -> Int {
    storage.objectCount(classID.rawValue)
  }

  package func blockCount(of classID: ClassID) -> Int { storage.blockCount(classID.rawValue) }

  package func presence(of classID: ClassID, block: Int) -> BlockMask {
    storage.presence(classID.rawValue, block: block)
  }
}
