public import FoundationEssentials
public import Herald

extension Realm {
  /// Every object of a class, without those of its subclasses.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    store.objects(type)
  }

  /// Every embedded object of a class, of whatever owner.
  public func objects<Element: EmbeddedObject>(_ type: Element.Type) -> Results<Element> {
    store.objects(type)
  }

  /// Every object of a projection's class.
  public func objects<Element: ProjectionElement>(_ type: Element.Type) -> Results<Element> {
    store.objects(type)
  }

  /// Returns the object with a primary key; nil where there is none.
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: some PersistableValue
  ) -> Element? {
    store.object(ofType: type, forPrimaryKey: key)
  }

  /// Returns the object with a primary key; nil where there is none, and for what is no key.
  @_disfavoredOverload
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: Any
  ) -> Element? {
    Self.key(key).flatMap { store.object(ofType: type, forPrimaryKey: $0) }
  }

  /// Every object of a class that is known by its name alone.
  public func dynamicObjects(_ className: String) -> Results<DynamicObject> {
    store.dynamic.objects(className)
  }

  /// Returns the object with a primary key of a class that is known by its name alone; nil where there is none, and for
  /// what is no key.
  public func dynamicObject(
    ofType className: String, forPrimaryKey key: Any
  ) -> DynamicObject? {
    Self.key(key).flatMap { store.dynamic.object(className, forKey: $0) }
  }

  /// A primary key, also as one of Foundation's objects.
  private static func key(_ key: Any) -> (any PersistableValue)? {
    key as? any PersistableValue ?? (try? AnyValue(bridging: key))
  }

  /// Adds an object of a class that is known by its name alone, with values by name, in the order of its properties, or
  /// those of another object, and returns it. Names that no property has are ignored.
  @discardableResult
  public func dynamicCreate(
    _ className: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    switch value {
    case let values as [String: Any]:
      store.dynamic.create(
        className, value: store.dynamic.table(of: className)?.known(values) ?? values,
        update: update)
    case let values as [Any]:
      if let known = try? store.dynamic.table(of: className)?.known(values) {
        store.dynamic.create(className, value: known, update: update)
      } else {
        store.dynamic.create(className, value: values, update: update)
      }
    case let object as ObjectBase: store.dynamic.create(className, value: object, update: update)
    case _: fatalError("an object of class '\(className)' cannot be created of '\(value)'")
    }
  }

  /// Returns what a reference leads to; nil where it was deleted, or is of another store.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    (try? store.resolve(reference)) ?? nil
  }

  /// Copies the store into a new file. Errors: those of `Store.writeCopy`, and `UnsupportedEncryption` with a key.
  public func writeCopy(toFile url: URL, encryptionKey: Data? = nil) throws {
    if encryptionKey != nil { throw UnsupportedEncryption() }
    try store.writeCopy(to: url.path)
  }

  /// Copies the store into the file of a configuration. Errors: those of `writeCopy(toFile:encryptionKey:)`, and
  /// `Realm.Error.fileAccess` for a store in memory.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw HeraldError.cannotWrite(path: "", reason: "the configuration has no 'fileURL'")
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }
}

extension ObservableObjectBase {
  /// The store that the object is in; nil for an unmanaged instance.
  public var realm: Realm? { store.map { Realm($0) } }
}

extension ProjectionElement {
  /// The store of the projected object; nil for an unmanaged one.
  public var realm: Realm? { store.map { Realm($0) } }
}

extension StoredCollection {
  /// The store of the collection; nil for that of an unmanaged object.
  public var realm: Realm? { store.map { Realm($0) } }
}

extension SectionedResults {
  /// The store of the sections.
  public var realm: Realm? { Realm(store) }
}

extension ResultsSection {
  /// The store of the section.
  public var realm: Realm? { Realm(store) }
}

extension Map {
  /// The store of the map; nil for that of an unmanaged object.
  public var realm: Realm? { store.map { Realm($0) } }
}
