import Glibc

/// The file of a token: its first line.
package struct TokenFile {
  package let token: String

  /// The length from which a token cannot be guessed.
  static let shortest = 16

  /// Errors: it cannot be read, or has no token.
  package init(_ path: String) throws(ServerFailure) {
    guard let file = fopen(path, "r") else {
      throw ServerFailure("cannot read '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 4_096)
    guard fgets(&bytes, Int32(bytes.count), file) != nil else {
      throw ServerFailure("'\(path)' has no token")
    }
    let line = bytes.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map { UInt8(bitPattern: $0) }
    guard line.count >= Self.shortest, line.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      throw ServerFailure(
        "the token in '\(path)' needs at least \(Self.shortest) visible characters of ASCII")
    }
    token = String(decoding: line, as: UTF8.self)
  }
}
