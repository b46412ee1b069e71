import Glibc

@testable import HeraldCommand

/// A folder of a test's own, gone with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/herald-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PseudoTerminal.Failure(code: errno) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PseudoTerminal.Failure(code: errno) }
    defer { close(descriptor) }
    try OutputBytes.write(bytes, to: descriptor)
  }

  func read(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PseudoTerminal.Failure(code: errno) }
    defer { close(descriptor) }
    var input = InputBytes(descriptor: descriptor)
    while try input.readMore() {}
    return Array(input.bytes)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    guard let folder = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }
}
