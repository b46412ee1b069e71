import HeraldEngine
import HeraldModel

extension Store {
  /// Adds an object, with all unmanaged objects that it links to. It is managed from then on; an object that is in
  /// the store already stays as it is.
  ///
  /// The write fails at its end with `duplicateKey`, with `wrongSession` for an object of another store, and with
  /// `hasObservers` for an object whose properties are observed. Outside a transaction it stops the program.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    if let binding = object._binding, binding.core.session === core.session, !object.isInvalidated {
      return
    }
    core.attempt("an object of class '\(object.nameOfClass)'", is: "added") {
      if !core.session.isInWrite { try core.session.checkedWrite() }
      if update != .error { try core.checkUpdatable(object.classTable(), update) }
      if let binding = object._binding {
        if object.isInvalidated {
          throw HeraldError.objectDeleted(object.nameInStore)
        }
        throw binding.core.session.isFrozen ? HeraldError.frozen : HeraldError.wrongSession
      }
      _ = try core.add(object, update)
    }
  }

  /// Adds several objects, as `add` does.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Deletes an object, with the embedded objects that it owns. Links to it become nil, and lists and sets remove
  /// it. The write fails with `objectDeleted`, `wrongSession` or `objectNotAdded` for what is not an object of
  /// this store.
  public func delete(_ object: ObjectBase) {
    core.attempt(object.place, is: "deleted") { try core.session.delete(id(of: object)) }
  }

  /// Deletes several objects; those that were deleted along with earlier ones are skipped.
  public func delete<Objects: Sequence>(_ objects: Objects) where Objects.Element: ObjectBase {
    core.attempt("a collection of objects", is: "deleted") {
      try core.session.delete(objects.map { try id(of: $0) }) {}
    }
  }

  /// Deletes every object of the program's classes, as far as the store has them.
  public func deleteAll() {
    core.attempt("every object", is: "deleted") {
      let session = core.session
      for classSchema in session.schema.classes where !classSchema.isEmbedded {
        let results = try core.dynamic.objects(classSchema.name)
        try core.dynamic.delete(results)
      }
    }
  }

  private func id(of object: ObjectBase) throws -> ObjectID {
    guard let binding = object._binding else {
      throw HeraldError.objectNotAdded(object.nameInStore)
    }
    guard binding.core.session === core.session else {
      throw binding.core.session.isFrozen ? HeraldError.frozen : HeraldError.wrongSession
    }
    guard !object.isInvalidated else {
      throw HeraldError.objectDeleted(object.nameInStore)
    }
    return ObjectID(binding.classID, object._number)
  }

  /// Every object of a class, without those of its subclasses, in order of creation.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    core.checkOwner()
    return Results(core, classOf: type)
  }

  /// Every embedded object of a class, of whatever owner, in order of creation.
  public func objects<Element: EmbeddedObject>(_ type: Element.Type) -> Results<Element> {
    core.checkOwner()
    return Results(core, classOf: type)
  }

  /// Returns the object with a primary key; nil where there is none, and for a key of another type. O(log n).
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: some PersistableValue
  ) -> Element? {
    core.checkOwner()
    guard let binding = try? core.binding(of: type), binding.table.primaryKey != nil,
      let value = try? key._encode(LinkEncoder(core)),
      let found = try? core.dynamic.object(binding.table.className, key: value)
    else { return nil }
    return core.instance(of: type, found.id)
  }
}
