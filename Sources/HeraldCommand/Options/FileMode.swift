import ArgumentParser

/// The value of `--mode`: the permissions of the files of a new store, which always include its user.
struct FileMode: Equatable, Sendable {
  let bits: UInt32

  /// Creates the default mode, for the user only.
  init() { bits = 0o600 }

  /// Parses octal digits, as for `chmod`.
  init(_ argument: String) throws {
    guard let bits = UInt32(argument, radix: 8), bits & 0o600 == 0o600, bits & ~0o666 == 0 else {
      throw ValidationError("'\(argument)' is not a valid mode: use 0600, 0640, 0660 or 0644")
    }
    self.bits = bits
  }
}

/// The value of `--max-size` or `--max-write`: a number of bytes.
struct StoreSize: Equatable, Sendable {
  let bytes: Int

  /// Parses a number with an optional K, M, G or T, powers of 1024.
  init(_ argument: String) throws {
    let letters: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = argument.last.flatMap { letters[Character($0.uppercased())] }
    let digits = shift == nil ? argument[...] : argument.dropLast()
    let (bytes, isTooLarge) = (Int(digits) ?? 0).multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !isTooLarge, bytes >= Self.smallest else {
      throw ValidationError("'\(argument)' is not a valid size: use 1M or more, such as 500M")
    }
    self.bytes = bytes
  }

  /// The minimum size, slightly more than an empty store needs.
  private static let smallest = 1 << 20
}
