/// A pair of keys in the form of NATS: Ed25519, as text with a kind and a checksum.
///
///     seed   := base32(kind of 10 bits, 6 bits zero, 32 bytes, CRC-16)
///     public := base32(kind, 32 bytes, CRC-16)
struct NKey {
  enum Kind: UInt8 {
    case account = 0
    case operation = 112
    case user = 160
  }

  private static let seedPrefix: UInt8 = 144
  private static let encodedKey: [UInt8] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]

  let seed: String
  let key: String
  private let openssl: OpenSSL
  private let name: String

  init(_ kind: Kind, _ name: String, _ openssl: OpenSSL) throws {
    self.openssl = openssl
    self.name = name
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    try openssl.write(Self.encodedKey + bytes, to: name + ".der")
    try openssl.run(
      "pkey", "-inform", "DER", "-in", openssl.path(name + ".der"), "-pubout", "-outform", "DER",
      "-out", openssl.path(name + ".pub"))
    let found = try openssl.read(name + ".pub").suffix(32)
    seed = Self.text([Self.seedPrefix | kind.rawValue >> 5, (kind.rawValue & 31) << 3] + bytes)
    key = Self.text([kind.rawValue] + found)
  }

  /// Returns claims as a signed token.
  func token(_ claims: String) throws -> String {
    let header = #"{"typ":"JWT","alg":"ed25519-nkey"}"#
    let text = Self.base64(Array(header.utf8)) + "." + Self.base64(Array(claims.utf8))
    try openssl.write(text.utf8, to: name + ".claims")
    try openssl.run(
      "pkeyutl", "-sign", "-inkey", openssl.path(name + ".der"), "-keyform", "DER", "-rawin",
      "-in", openssl.path(name + ".claims"), "-out", openssl.path(name + ".signature"))
    return text + "." + Self.base64(try openssl.read(name + ".signature"))
  }

  private static func text(_ bytes: [UInt8]) -> String {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 { checksum = checksum & 0x8000 != 0 ? checksum << 1 ^ 0x1021 : checksum << 1 }
    }
    let whole = bytes + [UInt8(checksum & 255), UInt8(checksum >> 8)]
    return packed(whole, 5, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    packed(
      bytes, 6, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
  }

  private static func packed(_ bytes: [UInt8], _ width: Int, _ letters: [Character]) -> String {
    var text = ""
    var (bits, count) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= width {
        count -= width
        text.append(letters[bits >> count & (1 << width - 1)])
      }
      bits &= 1 << count - 1
    }
    if count > 0 { text.append(letters[bits << (width - count) & (1 << width - 1)]) }
    return text
  }
}
