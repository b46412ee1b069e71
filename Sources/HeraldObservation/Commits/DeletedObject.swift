package import HeraldModel

/// The before-image of a deleted object.
package struct DeletedObject: Sendable, Equatable {
  /// Its primary key; null where its class has none.
  package var key: Value
  /// Its links, those in collections included, as property and target; also links to objects that the
  /// same commit deleted.
  package var links: [OutgoingLink]
  /// Its single-valued properties that were not null when the record began.
  package var values: PropertyValues
  /// Its collections that were not empty when the record began.
  package var collections: [PropertyID: CollectionContents]

  package init(
    key: Value, links: [OutgoingLink] = [], values: PropertyValues = PropertyValues(),
    collections: [PropertyID: CollectionContents] = [:]
  ) {
    self.key = key
    self.links = links
    self.values = values
    self.collections = collections
  }
}
