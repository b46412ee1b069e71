import Glibc
import TestSupport

/// The command `openssl`, with the files of a folder of its own.
struct OpenSSL {
  struct Failure: Error { let arguments: [String] }

  let folder: String

  func path(_ name: String) -> String { folder + "/" + name }

  func run(_ arguments: String...) throws {
    var process = ChildProcess("/usr/bin/openssl", arguments)
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder]
    try process.open(0, "/dev/null", O_RDONLY)
    try process.open(1, "/dev/null", O_WRONLY)
    try process.open(2, path("openssl.log"), O_WRONLY | O_CREAT | O_APPEND)
    guard try process.start().end() == 0 else { throw Failure(arguments: arguments) }
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    guard let file = fopen(path(name), "w") else { throw Failure(arguments: [name]) }
    defer { fclose(file) }
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Failure(arguments: [name])
    }
  }

  func read(_ name: String) throws -> [UInt8] {
    guard let file = fopen(path(name), "r") else { throw Failure(arguments: [name]) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  /// Makes an authority, `NAME.pem` and `NAME.key`.
  func makeAuthority(_ name: String) throws {
    try run(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", path(name + ".key"), "-out", path(name + ".pem"), "-days", "2",
      "-subj", "/CN=\(name)")
  }

  /// Makes a certificate that an authority has signed, `NAME.pem` and `NAME.key`.
  func makeCertificate(_ name: String, by authority: String) throws {
    try run(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", path(name + ".key"), "-out", path(name + ".csr"), "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    try run(
      "x509", "-req", "-in", path(name + ".csr"), "-CA", path(authority + ".pem"),
      "-CAkey", path(authority + ".key"), "-CAcreateserial", "-days", "2",
      "-copy_extensions", "copy", "-out", path(name + ".pem"))
  }
}
