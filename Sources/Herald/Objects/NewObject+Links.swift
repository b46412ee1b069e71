public import HeraldModel

extension NewObject {
  /// A link to it: for properties of others, also of those that are in no store either. These are
  /// added together with what they link to, in circles too.
  ///
  ///     let (ann, bob) = (try NewObject("Person", [], in: store), ...)
  ///     try ann.set("friend", to: .value(bob.link))
  ///     try bob.set("friend", to: .value(ann.link))
  ///     try store.write { _ = try store.add(ann) }
  public var link: Value { .link(standing?.id ?? placeholder) }

  /// What it became in a store, where that is there still.
  var standing: Object? { added.flatMap { $0.isValid ? $0 : nil } }

  /// The objects in no store that it links to, in the order of its properties' names.
  var targets: [NewObject] {
    contents.sorted { $0.name < $1.name }.flatMap(\.content.newLinks).compactMap { linked($0) }
  }

  /// A property's content with links to objects of the store for those that were added; nil where
  /// one is in no store.
  func resolved(_ content: PropertyContent) -> PropertyContent? {
    var isWhole = true
    let resolved = content.replacingLinks { link in
      guard let object = linked(link) else { return link }
      if object.standing == nil { isWhole = false }
      return object.standing?.id ?? link
    }
    return isWhole ? resolved : nil
  }
}

extension Store {
  /// The object of this session that a link stands for, while it is in no store.
  public func newObject(_ link: ObjectID) -> NewObject? { placeholders[link] }
}

extension PropertyContent {
  /// What stands for objects in no store, in order; a map's in order of key.
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
