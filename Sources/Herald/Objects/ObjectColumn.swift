import HeraldEngine
import HeraldModel

/// The values of one property of new objects of a class, for `insert`.
public struct ObjectColumn<T: Object> {
  let path: PartialKeyPath<T>
  let content: (LinkEncoder) throws -> ColumnContent

  /// The values of a property, one for each object.
  public static func column<Value: PersistableElement>(
    _ path: KeyPath<T, Value>, _ values: [Value]
  ) -> ObjectColumn {
    ObjectColumn(path: path) { links in
      switch values as Any {
      case let ints as [Int]: .ints(ints)
      case let doubles as [Double]: .doubles(doubles)
      case let bools as [Bool]: .bools(bools)
      case let strings as [String]: .strings(strings)
      case _: .values(try values.map { try $0._encode(links) })
      }
    }
  }

  /// The values of an optional property, one for each object.
  public static func column<Value: PersistableElement>(
    _ path: KeyPath<T, Value?>, _ values: [Value?]
  ) -> ObjectColumn {
    ObjectColumn(path: path) { links in
      .values(try values.map { try $0?._encode(links) ?? .null })
    }
  }
}

extension Store {
  /// Adds as many objects as each column has values, and returns their number. Properties without a column get the
  /// values that a new instance has.
  ///
  ///     try store.write {
  ///       store.insert(Dog.self, columns: .column(\.name, names), .column(\.age, ages))
  ///     }
  ///
  /// Several times faster than adding one object after the other, for a class without a primary key and links.
  ///
  /// The write fails at its end with `unequalColumns`, and with the errors of `add`; then nothing is added. Outside a
  /// transaction it stops the program, and so does a path to something other than a property.
  @discardableResult
  public func insert<T: Object>(_ type: T.Type, columns: ObjectColumn<T>...) -> Int {
    core.attempt("an object of class '\(type.className)'", is: "added") {
      if !core.session.isInWrite { try core.session.checkedWrite() }
      let links = LinkEncoder(core)
      let binding = try core.binding(of: type)
      guard let classSchema = core.session.classSchema(named: binding.table.className) else {
        throw HeraldError.unknownClass(binding.table.className, nearest: nil)
      }
      let named = try columns.map { (requiredName(of: $0.path), try $0.content(links)) }
      return try core.session.add(to: classSchema, columns: named).count
    } ?? 0
  }
}
