import HeraldModel
import HeraldQuery

/// What one observer observes: it subscribes to what concerns the observer, finds out what changes mean
/// for it, and explains it. A kind of observer is a type that conforms; beside it, only `Interest` knows one
/// kind, stores, whose observers need no records.
protocol Subject: AnyObject {
  var rank: Observer.Rank { get }
  /// Whether it observes rows: its first report, `initial`, builds a live view of them.
  var hasRows: Bool { get }
  /// The object that is observed as a whole.
  var observedObject: ObjectID? { get }
  /// The observed property, or the one whose collection is observed.
  var observedProperty: ObjectProperty? { get }

  // MARK: Subscriptions

  /// Subscribes an observer at its registration; does nothing where `begin` subscribes.
  func register(_ observer: Observer, _ interest: Interest)
  /// Follows a schema change.
  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest)
  /// Whether it cannot continue without what a schema change removed.
  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool
  /// Removes an observer that is dead from every list and watch.
  func leave(_ observer: Observer, _ interest: Interest)

  // MARK: Marks

  /// Whether a change of a property of the object that it observes, or whose collection it observes,
  /// concerns it. `isDifferent` is false where the value is equal before and after.
  func observes(_ property: PropertyID, isDifferent: Bool) -> Bool
  /// Whether it shares its marks with the other observers of the object that do.
  var isSharing: Bool { get }
  /// Notes that something changed along an observed path.
  func mark(_ path: PropertyPath)
  /// Whether one of several commits may change it, though all together may not. Requires that its observer
  /// is in `Interest.following`.
  func mayChange(_ parts: [PendingChanges]) -> Bool

  // MARK: Reports

  /// Builds what the first report needs, subscribes to its dependencies and returns the number of rows, 0
  /// where it has none. Nil, without any effect, where the scan was interrupted.
  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int?
  /// Advances to `reader`'s version and returns the report; nil where there is nothing to report.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report?
  /// Returns the report that deletes every row; nil where there are none and no owner was deleted.
  func deletion(ofOwner ownerDeleted: Bool) -> Report?
  /// Whether the owner of the rows was deleted before the first call.
  var isOrphan: Bool { get }
  /// The place of a nested collection, as of the last report.
  var nestedPlace: NestedPlace? { get }
  /// The watch that finds modified rows; nil before the first report and for rows that are not objects.
  var rowWatch: RowWatch? { get }
  /// The number of rows of a query; nil for anything else, and before the first report.
  var rowCount: Int? { get }
  /// Returns the objects in some rows; nil for rows that are not objects or have no positions.
  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]?
  /// Returns the values of some groups; nil for rows that are none, and before the first report.
  func groups(at positions: Range<Int>) -> [[Value]]?

  // MARK: Explanations

  /// Adds a description of the view and what it depends on.
  func describe(in explanation: inout TokenExplanation, _ schema: Schema)
  /// Whether changes that mark it concern it on their own, when it was notified of them together with
  /// earlier ones. `reader` is at their version.
  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool
  /// Returns why changes did not reach it.
  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason
  /// The invariants of the view, which is at `reader`'s version, that do not hold.
  func violations(_ reader: any ObjectReader) -> [String]
}

extension Subject {
  var rank: Observer.Rank { .other }
  var hasRows: Bool { false }
  var rowCount: Int? { nil }
  var observedObject: ObjectID? { nil }
  var observedProperty: ObjectProperty? { nil }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {}
  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool { false }

  func observes(_ property: PropertyID, isDifferent: Bool) -> Bool {
    property == observedProperty?.property
  }
  var isSharing: Bool { false }
  func mark(_ path: PropertyPath) {}

  func mayChange(_ parts: [PendingChanges]) -> Bool { false }
  func deletion(ofOwner ownerDeleted: Bool) -> Report? { nil }
  var isOrphan: Bool { false }
  var nestedPlace: NestedPlace? { nil }
  var rowWatch: RowWatch? { nil }
  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]? { nil }
  func groups(at positions: Range<Int>) -> [[Value]]? { nil }

  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool { true }
  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    .untouched(changed: changes.record.changedNames(reader.schema))
  }
  func violations(_ reader: any ObjectReader) -> [String] { [] }
}

extension ObservedTarget {
  /// A new subject that observes the target.
  var subject: any Subject {
    switch self {
    case .store: StoreSubject()
    case .object(let object, let filter): ObjectSubject(object, filter)
    case .results(let query, let filter): ResultsSubject(query, filter)
    case .collection(let owner, let property, let filter):
      CollectionSubject(ObjectProperty(object: owner, property: property), filter)
    case .nested(let place, let filter): CollectionSubject(place, filter)
    case .elements(.collection(let owner, let property, let filter), let query):
      CollectionSubject(ObjectProperty(object: owner, property: property), filter, for: query)
    case .elements(.nested(let place, let filter), let query):
      CollectionSubject(place, filter, for: query)
    case .elements(let target, _): target.subject
    case .collectionResults(let owner, let property, let query, let filter):
      ResultsSubject(query, of: ObjectProperty(object: owner, property: property), filter)
    case .groups(let grouping, let owner, let property):
      GroupsSubject(grouping, of: ObjectProperty(object: owner, property: property))
    case .sections(let query, let owner, let property, let filter):
      SectionsSubject(query, of: ObjectProperty(object: owner, property: property), filter)
    case .value(let bound, when: let condition): ValueSubject(bound, when: condition)
    case .property(let object, let property): PropertySubject(object, .property(property))
    case .invalidated(let object, let name): PropertySubject(object, .invalidated(name: name))
    case .projection(let object, let fields, let names):
      ProjectionSubject(object, fields.filter { names?.contains($0.name) ?? true })
    }
  }
}
