import Glibc
public import HeraldModel

/// A 12-byte identifier that begins with the time of its making, so that new ones sort last.
///
///     @Persisted(primaryKey: true) var _id: ObjectId
///     let id = ObjectId.generate()
public typealias ObjectId = DocumentID

extension DocumentID: PersistableValue {
  public static var _element: PersistedElement { PersistedElement(.objectID) }
  /// A new identifier.
  public static func _missing() -> ObjectId { .generate() }

  public static func _decode(_ value: Value, _ core: StoreCore) -> ObjectId? {
    if case .objectID(let id) = value { id } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .objectID(self) }
  public var _text: String { description }
}

extension DocumentID {
  /// Returns a new identifier, which differs from every other.
  public static func generate() -> ObjectId {
    var generator = SystemRandomNumberGenerator()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return generate(seconds: now.tv_sec, using: &generator)
  }
}
