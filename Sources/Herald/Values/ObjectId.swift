import Glibc
public import HeraldModel

/// A 12-byte identifier that begins with the time of its making, so that new ones sort last.
///
///     @Persisted(primaryKey: true) var _id: ObjectId
///     let id = ObjectId.generate()
public typealias ObjectId = DocumentID

extension DocumentID: PersistableValue {
  public typealias PersistedType = ObjectId
  public static var _element: PersistedElement { PersistedElement(.objectID) }
  /// A new identifier.
  public static func _missing() -> ObjectId { .generate() }

  public static func _decode(_ value: Value, _ core: StoreCore) -> ObjectId? {
    if case .objectID(let id) = value { id } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .objectID(self) }
  public var _text: String { description }
}

extension DocumentID: Codable {
  /// Decodes 24 hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    self = try decodedText(decoder) { try ObjectId(string: $0) }
  }

  /// Encodes the 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension DocumentID {
  /// The identifier of 24 hexadecimal digits. Errors: `ValueError` for other text.
  public init(string: String) throws {
    self = try parsed(string, as: "identifier of 24 hexadecimal digits") { ObjectId($0) }
  }

  /// Returns a new identifier, which differs from every other.
  public static func generate() -> ObjectId {
    var generator = SystemRandomNumberGenerator()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return generate(seconds: now.tv_sec, using: &generator)
  }
}
