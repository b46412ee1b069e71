package import HeraldModel
import HeraldStorage

// Objects whose values are read in place, one or several rows of them.

extension ObjectInsertion {
  /// Adds an object with a value for each of the properties, in a session with an open write, and returns its number.
  /// Returns nil, and changes nothing, if a value has to be coerced, is invalid, or is the key of another object: then
  /// `Session.add` decides.
  ///
  /// Errors: those of the storage, such as `full`; `writeTooLarge`.
  package func add(
    _ values: UnsafeBufferPointer<PlainValue>, in session: Session
  ) throws(HeraldError) -> ObjectNumber? {
    guard values.count == columns.count, let write = current(session) else { return nil }
    for position in 0..<columns.count
    where !kinds[position].keeps(values[position], isOptional: columns[position].isOptional) {
      return nil
    }
    if let keyPosition {
      if kinds[keyPosition] == .int, case .int(let key) = values[keyPosition] {
        guard isNew(key, keyPosition, write) else { return nil }
      } else if try session.find(form.schema, key: values[keyPosition].value) != nil {
        return nil
      }
    }
    try session.beginStatement(of: write)
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
enum PlainKind: UInt8 {
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
      return try transaction.addToIndex(column.id, value, number)
    }
    let whole = value.value
    let kept = whole.coerced(to: column.element) ?? whole
    try transaction.addToIndex(column.id, column.indexed(kept), number)
  }
}

// MARK: Rows of plain values

extension ObjectInsertion {
  /// Whether several objects can be added at once: none has a primary key, for which each is searched.
  package var addsRows: Bool { keyPosition == nil }

  /// Returns whether an object with a value for each of the properties can be added as one of several.
  @inline(__always)
  package func keeps(_ values: UnsafePointer<PlainValue>) -> Bool {
    for position in 0..<columns.count
    where !kinds[position].keeps(values[position], isOptional: columns[position].isOptional) {
      return false
    }
    return true
  }

  /// Adds an object for each row of values that can be, one row after the other, column by column, and returns their
  /// numbers. Returns nil, and changes nothing, if the class is stored in another way by now.
  ///
  /// Errors: those of the storage, such as `full`; `writeTooLarge`.
  package func add(
    rows values: UnsafeBufferPointer<PlainValue>, in session: Session
  ) throws(HeraldError) -> Range<ObjectNumber>? {
    guard addsRows, let write = current(session) else { return nil }
    let count = values.count / columns.count
    try session.beginStatement(of: write)
    do throws(StorageError) {
      let numbers = try write.create(form.schema.id, count: count)
      for position in 0..<columns.count {
        let ofColumn = PlainColumn(values: values, position: position, stride: columns.count)
        try write.begin(columns[position], numbers, with: ofColumn)
      }
      for (column, value) in defaults {
        for number in numbers {
          try write.begin(column, of: ObjectID(form.schema.id, number), with: value)
        }
      }
      return numbers
    } catch {
      throw HeraldError(error)
    }
  }
}

/// The values of one column of rows.
private struct PlainColumn {
  let values: UnsafeBufferPointer<PlainValue>
  let position: Int
  let stride: Int

  @inline(__always)
  subscript(row: Int) -> PlainValue { values[row &* stride &+ position] }
}

extension OpenWrite {
  /// Sets the first values of a property of objects that were just created.
  fileprivate func begin(
    _ column: Layout.Column, _ numbers: Range<ObjectNumber>, with values: PlainColumn
  ) throws(StorageError) {
    let (first, count) = (numbers.lowerBound, numbers.count)
    switch column.kind {
    case .integers:
      try transaction.beginWords(column.id, .integers, from: first, count) { row in
        switch values[row] {
        case .int(let value): value
        case .bool(let value): value ? 1 : 0
        case .null, .double, .date, .uuid, .text: nil
        }
      }
    case .doubles:
      try transaction.beginWords(column.id, .doubles, from: first, count) { row in
        switch values[row] {
        case .double(let value): Int(bitPattern: UInt(value.bitPattern))
        case .int(let value): Int(bitPattern: UInt(Double(value).bitPattern))
        case .null, .bool, .date, .uuid, .text: nil
        }
      }
    case .bytes where column.isString:
      try transaction.beginTexts(column.id, from: first, count) { row in
        if case .text(let bytes) = values[row] { bytes } else { nil }
      }
    case .bytes, .floats, .dates:
      let classID = ClassID(column.id.classID)
      for row in 0..<count {
        try begin(column, of: ObjectID(classID, first + row), withPlain: values[row])
      }
      return
    }
    guard column.isIndexed else { return }
    for row in 0..<count { try index(values[row], column, first + row) }
  }
}
