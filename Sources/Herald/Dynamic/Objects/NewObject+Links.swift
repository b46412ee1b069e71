package import HeraldModel

extension NewObject {
  /// A link to the object, for properties of other objects, new ones included. New objects are added
  /// together with the new objects that they link to, cycles included.
  ///
  ///     let (ann, bob) = (try NewObject("Person", [], in: store), ...)
  ///     try ann.set("friend", to: .value(bob.link))
  ///     try bob.set("friend", to: .value(ann.link))
  ///     try store.write { _ = try store.add(ann) }
  package var link: Value { .link(stored?.id ?? placeholder) }

  /// The stored object that it became; nil before it is added, and after that one is deleted.
  var stored: ObjectHandle? { added.flatMap { $0.isValid ? $0 : nil } }

  /// The new objects that it links to, in the order of property names.
  var targets: [NewObject] {
    contents.sorted { $0.name < $1.name }.flatMap(\.content.newLinks).compactMap { linked($0) }
  }

  /// Returns a property's content with links to stored objects in place of new ones; nil where one is not
  /// stored yet.
  func resolved(_ content: PropertyContent) -> PropertyContent? {
    var isWhole = true
    let resolved = content.replacingLinks { link in
      guard let object = linked(link) else { return link }
      if object.stored == nil { isWhole = false }
      return object.stored?.id ?? link
    }
    return isWhole ? resolved : nil
  }
}

extension DynamicStore {
  /// Returns the new object of this session that a link refers to; nil for links to stored objects.
  package func newObject(_ link: ObjectID) -> NewObject? { placeholders[link] }
}

extension PropertyContent {
  /// The links to new objects, in order; for a map in key order.
  var newLinks: [ObjectID] {
    switch self {
    case .value(let value): value.newLinks
    case .list(let values): values.flatMap(\.newLinks)
    case .map(let entries): Value.map(entries).newLinks
    }
  }

  fileprivate func replacingLinks(_ other: (ObjectID) -> ObjectID) -> PropertyContent {
    switch self {
    case .value(let value): .value(value.replacingLinks(other))
    case .list(let values): .list(values.map { $0.replacingLinks(other) })
    case .map(let entries): .map(entries.mapValues { $0.replacingLinks(other) })
    }
  }
}

extension Value {
  fileprivate var newLinks: [ObjectID] {
    switch self {
    case .link(let target): target.number < 0 ? [target] : []
    case .list(let values): values.flatMap(\.newLinks)
    case .map(let entries): entries.inKeyOrder.flatMap(\.value.newLinks)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: []
    }
  }

  fileprivate func replacingLinks(_ other: (ObjectID) -> ObjectID) -> Value {
    switch self {
    case .link(let target): .link(other(target))
    case .list(let values): .list(values.map { $0.replacingLinks(other) })
    case .map(let entries): .map(entries.mapValues { $0.replacingLinks(other) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      self
    }
  }
}
