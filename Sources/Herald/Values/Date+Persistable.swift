public import FoundationEssentials
import HeraldEngine
public import HeraldModel

extension Date: PersistableValue {
  public typealias PersistedType = Date
  public static var _element: PersistedElement { PersistedElement(.date) }
  public static func _initial() -> Date { Date() }
  public static func _missing() -> Date { Date(timeIntervalSince1970: 0) }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Date? {
    if case .date(let time) = value { Date(time) } else { nil }
  }

  public static func _readOptional(_ reference: PropertyReference) -> Date? {
    reference.read { $0.date(reference.slot, of: reference.number) }.map { Date($0) }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value {
    guard timeIntervalSinceReferenceDate.magnitude < Timestamp.furthest else {
      throw ValueError(
        "\(timeIntervalSinceReferenceDate) seconds from 2001 is no date that a store can hold")
    }
    return .date(Timestamp(self))
  }
  public var _text: String { description }
}

extension Date {
  /// The moment of a timestamp, to the precision of a `Double` of seconds: about 0.1 microseconds.
  public init(_ time: Timestamp) {
    let reference = Date.timeIntervalBetween1970AndReferenceDate
    self.init(
      timeIntervalSinceReferenceDate: Double(time.seconds - Int(reference))
        + Double(time.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  fileprivate static let furthest = 0x1p62

  /// The moment of a date, to the nanosecond. A date that is NaN, or further away than 2^62 seconds, stops
  /// the program.
  public init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.magnitude < Self.furthest else {
      stopProgram("\(interval) seconds from 2001 is no date that a store can hold")
    }
    let whole = interval.rounded(.down)
    var seconds = Int(whole) + Int(Date.timeIntervalBetween1970AndReferenceDate)
    var nanoseconds = Int32(((interval - whole) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, 0) }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}

extension Data: PersistableValue {
  public typealias PersistedType = Data
  public static var _element: PersistedElement { PersistedElement(.data) }
  public static func _missing() -> Data { Data() }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Data? {
    if case .data(let bytes) = value { Data(bytes) } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .data(Array(self)) }
  public var _text: String { "\(count) bytes" }
}

extension UUID: PersistableValue {
  public typealias PersistedType = UUID
  public static var _element: PersistedElement { PersistedElement(.uuid) }
  /// A new identifier.
  public static func _missing() -> UUID { UUID() }

  public static func _decode(_ value: Value, _ core: StoreCore) -> UUID? {
    if case .uuid(let id) = value { UUID(id) } else { nil }
  }

  public func _encode(_ links: LinkEncoder) throws -> Value { .uuid(UniqueID(self)) }
  public var _text: String { uuidString }
}

extension UUID {
  /// The identifier with the bytes of a store's.
  public init(_ id: UniqueID) {
    self = id.bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension UniqueID {
  /// The identifier with the bytes of a `UUID`.
  public init(_ uuid: UUID) {
    var id = UniqueID(bits: (0, 0))
    withUnsafeBytes(of: uuid.uuid) { bytes in
      id = UniqueID(
        bits: (
          UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        ))
    }
    self = id
  }
}
