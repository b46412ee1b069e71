public import HeraldModel

/// A type whose instances a store has as values, or as collections of them, which are no values themselves.
public protocol Storable: HasPersistedType {
  /// The value as a store has it; `links` gives the links to objects. Errors: `QueryArgumentError` for a collection.
  func _encode(_ links: LinkEncoder) throws -> Value
  /// Makes the value of a store's; nil where it is not one of this type.
  static func _decode(_ value: Value, _ core: StoreCore) -> Self?
  /// The value in a description.
  var _text: String { get }
}
