import HeraldEngine
import HeraldModel
import HeraldQuery

/// What a collection of the typed interface reads.
public struct CollectionBase {
  enum Kind {
    /// Values of an unmanaged object.
    case local
    /// A property of a managed object.
    case property(ManagedProperty)
    case query(ResultsQuery)
  }

  let kind: Kind
  /// Of a projected collection, what it reads of each object.
  var projection: ElementProjection?
  /// Of sorted values, or each value once, how they are made of the elements.
  var valueStages: [ValueStage] = []

  init(_ kind: Kind) { self.kind = kind }

  var core: StoreCore? {
    switch kind {
    case .local: nil
    case .property(let property): property.core
    case .query(let query): query.core
    }
  }
}

extension CollectionBase {
  /// Of a property which collection it is; nil for results, and for what is of no store.
  package var shape: PropertyShape? {
    guard case .property(let property) = kind else { return nil }
    return property.binding.table.property(atSlot: property.slot)?.definition.shape
  }

  /// Whether both are the same property of the same object, or the same results; false for those of unmanaged objects.
  package func isSame(as other: CollectionBase) -> Bool {
    switch (kind, other.kind) {
    case (.property(let a), .property(let b)): a.isSame(as: b)
    case (.query(let a), .query(let b)): a === b
    case _: false
    }
  }
}

extension ManagedProperty {
  /// Whether both are the same property of the same object in one session.
  func isSame(as other: ManagedProperty) -> Bool {
    id == other.id && slot == other.slot && core.session === other.core.session
  }

  /// The property in the store's schema; stops the program where it is missing.
  var schema: PropertySchema {
    let session = core.session
    guard let id = propertyID,
      let property = session.schema.classSchema(binding.classID)?.property(id)
    else { stop(binding.columns.failure(slot, of: number) ?? .closed) }
    return property
  }

  /// Nil where the version of a frozen store lacks the property, which then has no elements; stops the program where it
  /// cannot be read otherwise.
  var propertyID: PropertyID? {
    if let id = columns.property(slot) { return id }
    if let failure = binding.columns.failure(slot, of: number) { stop(failure) }
    return nil
  }

  /// The number of elements of a collection; 0 for one of a deleted object.
  var elementCount: Int { propertyID.map { core.session.reader.listCount($0, of: id) } ?? 0 }

  func element(at index: Int) -> Value {
    check(index, below: elementCount)
    return propertyID.map { core.session.reader.listElement($0, of: id, at: index) } ?? .null
  }

  /// Stops the program if an index of the collection is not below a limit.
  func check(_ index: Int, below limit: Int) {
    guard index < 0 || index >= limit else { return }
    checkReadable()
    stopIndex(index, place, elementCount)
  }

  /// Every element, in order.
  var elements: [Value] {
    var values: [Value] = []
    guard let propertyID else { return values }
    core.session.reader.forEachElement(propertyID, of: id) {
      values.append($0)
      return true
    }
    return values
  }

  func decode<Element: CollectionElement>(_ value: Value) -> Element {
    Element._decode(value, core) ?? stop(wrong: value)
  }

  /// Edits a collection in the open transaction.
  func edit(_ edit: @autoclosure () throws -> CollectionEdit) {
    _ = columns
    guard core.isInWrite else {
      if core.session.isFrozen { stopProgram("\(place) is frozen and cannot be changed") }
      checkReadable()
      stopProgram("\(place) is changed outside a write transaction; 'write' opens one")
    }
    checkReadable()
    core.attempt(place, is: "changed") { try core.session.change(schema, of: id, edit()) }
  }

  /// The collection by the names of its class and property.
  var live: LiveCollection {
    LiveCollection(owner: ObjectHandle(store: core.dynamic, id: id), property: schema)
  }
}

/// Stops the program since an index is out of range.
func stopIndex(_ index: Int, _ place: String, _ count: Int) -> Never {
  stopProgram(
    "index \(index) is out of range: \(place) has \(count) element\(count == 1 ? "" : "s")")
}
