package import HeraldModel

/// The net change of one class: an object is in one of `created`, `deleted`, or (in any number of
/// properties) modified. In merged records one that was deleted and then restored, with its number, is in
/// both `deleted` and `created`.
package struct ClassChange: Sendable, Equatable {
  /// Objects that exist now and did not before.
  package var created = NumberRanges()
  /// Objects that existed before and do not now.
  package var deleted: [ObjectNumber: DeletedObject] = [:]
  /// The modified properties.
  package var properties: [PropertyID: PropertyDelta] = [:]
  /// For each property of type `any`: the objects to which one of its commits added links, or removed them.
  /// For others: the targets of transient links, which one merged commit added and another removed, or the
  /// reverse.
  package var relinked: [PropertyID: Set<ObjectID>] = [:]

  package init() {}
}
