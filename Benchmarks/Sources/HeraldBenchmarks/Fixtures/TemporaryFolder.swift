import Glibc

/// A folder that is removed, with its files, when this object is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/herald-benchmarks-XXXXXX".utf8CString)
    try require(mkdtemp(&template) != nil, "no temporary folder in \(parent)")
    path = template.withUnsafeBufferPointer { characters in
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink(file(name))
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
