import HeraldEngine
@_spi(Blocks) public import HeraldModel

/// A type of single values.
public protocol PersistableValue: Persistable, PersistableElement {}

extension PersistableValue {
  public static var _type: PersistedProperty { PersistedProperty(_element) }
  public static func _initial() -> Self { _missing() }

  public static func _read(_ reference: PropertyReference) -> Self {
    _readOptional(reference) ?? reference.property.missing()
  }

  public func _content(_ links: LinkEncoder) throws -> PropertyContent {
    .value(try _encode(links))
  }
}
