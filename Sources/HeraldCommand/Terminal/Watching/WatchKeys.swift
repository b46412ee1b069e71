import HeraldShell

/// Turns the bytes that a terminal sends into the keys of a watched table, and drops others.
struct WatchKeys {
  private var bytes: ArraySlice<UInt8> = []

  private static let escape: UInt8 = 0x1B
  private static let characters: [UInt8: Watch.Key] = [
    UInt8(ascii: "q"): .leave, UInt8(ascii: "Q"): .leave,
    UInt8(ascii: "k"): .up, UInt8(ascii: "j"): .down,
    UInt8(ascii: "h"): .left, UInt8(ascii: "l"): .right,
    UInt8(ascii: "b"): .pageUp, UInt8(ascii: " "): .pageDown,
    UInt8(ascii: "g"): .start, UInt8(ascii: "G"): .end,
    0x02: .pageUp, 0x06: .pageDown, 0x10: .up, 0x0E: .down, 0x0D: .down, 0x04: .leave,
  ]
  private static let sequences: [[UInt8]: Watch.Key] = {
    let texts: [(String, Watch.Key)] = [
      ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .start), ("F", .end),
      ("1~", .start), ("7~", .start), ("4~", .end), ("8~", .end), ("5~", .pageUp),
      ("6~", .pageDown),
    ]
    return Dictionary(uniqueKeysWithValues: texts.map { (Array($0.0.utf8), $0.1) })
  }()

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Returns the next key; nil if more bytes are needed.
  mutating func next() -> Watch.Key? {
    while let first = bytes.first {
      guard first == Self.escape else {
        bytes.removeFirst()
        if let key = Self.characters[first] { return key }
        continue
      }
      guard let sequence = takeSequence() else { return nil }
      if let key = Self.sequences[sequence] { return key }
    }
    return nil
  }

  /// Removes an escape sequence and returns it without `ESC [` or `ESC O`; empty for an escape that begins no
  /// sequence, nil for an incomplete one.
  private mutating func takeSequence() -> [UInt8]? {
    let rest = bytes.dropFirst()
    guard let second = rest.first else { return nil }
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
      bytes.removeFirst()
      return []
    }
    let parameters = rest.dropFirst()
    guard let end = parameters.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    bytes = bytes[(end + 1)...]
    return Array(parameters[...end])
  }
}
