import Herald

/// Adds the objects of `add` statements of one shape to an open transaction.
final class RepeatedAddition {
  let shape: AdditionShape
  private let store: DynamicStore
  private let schema: Schema
  private let insertion: RowInsertion?
  /// Whether each literal means the same whatever the type of its property.
  private let isUndirected: Bool

  /// `store` has an open transaction.
  init(_ shape: AdditionShape, _ store: DynamicStore) {
    self.shape = shape
    self.store = store
    schema = store.schema
    insertion = store.insertion(of: shape.className.text, shape.properties)
    let classSchema = schema.classSchema(named: shape.className.text)
    isUndirected = shape.properties.allSatisfy {
      classSchema?.property(named: $0).map { $0.type.isUndirected } ?? false
    }
  }

  /// Whether it adds the objects of a shape to a store, whose schema is still the same.
  func adds(_ shape: AdditionShape, to store: DynamicStore) -> Bool {
    self.shape === shape && self.store === store && schema.isIdentical(to: store.schema)
  }

  /// Adds an object; returns false, and changes nothing, if the statement must be parsed to add it or to report what is
  /// wrong.
  func add(_ values: UnsafeBufferPointer<PlainValue>) throws -> Bool {
    if try insertion?.add(values) != nil { return true }
    guard isUndirected else { return false }
    let contents = zip(shape.properties, values).map { NamedContent($0, .value($1.value)) }
    do {
      _ = try store.add(shape.className.text, contents)
      return true
    } catch is HeraldError { return false }
  }
}

extension PropertyType {
  /// Whether a plain literal has one value whatever the type: others of its forms count for a decimal.
  fileprivate var isUndirected: Bool {
    guard shape == .single else { return false }
    switch element {
    case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectID: return true
    case .decimal, .any, .link: return false
    }
  }
}
