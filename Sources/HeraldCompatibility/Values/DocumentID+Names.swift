public import FoundationEssentials
public import Herald

extension DocumentID: ExpressibleByStringLiteral {
  /// The identifier of 24 hexadecimal digits; other text stops the program.
  public init(stringLiteral value: String) {
    guard let id = ObjectId(value) else {
      fatalError("'\(value)' is no identifier of 24 hexadecimal digits")
    }
    self = id
  }
}

extension DocumentID {
  /// The identifier of 24 hexadecimal digits in the program; other text stops it.
  public init(_ digits: StaticString) { self.init(stringLiteral: digits.description) }

  /// The identifier of zeros.
  public init() { self.init(bits: (0, 0)) }

  /// An identifier of a moment, of which whole seconds count, and of two numbers that tell apart who made it.
  public init(timestamp: Date, machineIdentifier: Int, processIdentifier: Int) {
    let seconds = UInt32(truncatingIfNeeded: Int(timestamp.timeIntervalSince1970.rounded(.down)))
    let machine = UInt32(truncatingIfNeeded: machineIdentifier) & 0xFF_FFFF
    let process = UInt32(truncatingIfNeeded: processIdentifier) & 0xFFFF
    let counter = UInt32.random(in: 0...0xFF_FFFF)
    self.init(
      bits: (
        UInt64(seconds) << 32 | UInt64(machine) << 8 | UInt64(process >> 8),
        (process & 0xFF) << 24 | counter
      ))
  }

  /// An identifier of a moment and of two numbers that tell apart who made it.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    self.init(timestamp: timestamp, machineIdentifier: machineId, processIdentifier: processId)
  }

  /// The moment of its making, in whole seconds.
  public var timestamp: Date {
    Date(timeIntervalSince1970: TimeInterval(bits.high >> 32))
  }
}

extension DocumentID {
  /// The 24 hexadecimal digits.
  public var stringValue: String { description }
  /// Whether another value is the same identifier.
  public func isEqual(_ other: Any?) -> Bool { other as? ObjectId == self }
}
