import Glibc

/// A folder of a test's own, gone with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/herald-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PseudoTerminal.Failure(code: errno) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
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
