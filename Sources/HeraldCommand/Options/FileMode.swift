import ArgumentParser

/// What `--mode` gives: who may read and write the files of a new store, its user always.
struct FileMode: Equatable, Sendable {
  let bits: UInt32

  /// The user alone.
  init() { bits = 0o600 }

  /// Octal digits, as for `chmod`.
  init(_ argument: String) throws {
    guard let bits = UInt32(argument, radix: 8), bits & 0o600 == 0o600, bits & ~0o666 == 0 else {
      throw ValidationError("'\(argument)' is no mode of a store: 0600, 0640, 0660, 0644 are some")
    }
    self.bits = bits
  }
}

/// What `--max-size` gives: a number of bytes.
struct StoreSize: Equatable, Sendable {
  let bytes: Int

  /// A number and K, M, G or T for as many times 1024.
  init(_ argument: String) throws {
    let letters: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = argument.last.flatMap { letters[Character($0.uppercased())] }
    let digits = shift == nil ? argument[...] : argument.dropLast()
    let (bytes, isTooLarge) = (Int(digits) ?? 0).multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !isTooLarge, bytes >= Self.smallest else {
      throw ValidationError("'\(argument)' is no size of a store: 1M, 500M, 20G are some")
    }
    self.bytes = bytes
  }

  /// As much as an empty store needs, and some.
  private static let smallest = 1 << 20
}
