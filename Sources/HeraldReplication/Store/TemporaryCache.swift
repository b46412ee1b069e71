import Glibc
import Herald
import Synchronization

/// The files of stores that were opened without one, which end with the process.
enum TemporaryCache {
  private static let folders = Mutex<[String]>([])

  /// Returns the path of a new file.
  static func make(_ name: String) throws -> String {
    let parent = NATSStream.variable("TMPDIR") ?? "/tmp"
    var template = [CChar]((parent + "/herald-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw HeraldError.cannotWrite(path: parent, reason: String(cString: strerror(errno)))
    }
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    folders.withLock { folders in
      if folders.isEmpty { atexit { TemporaryCache.removeAll() } }
      folders.append(folder)
    }
    return folder + "/" + name + ".hdb"
  }

  private static func removeAll() {
    for folder in folders.withLock({ $0 }) {
      if let entries = opendir(folder) {
        while let entry = readdir(entries) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if name != ".", name != ".." { unlink(folder + "/" + name) }
        }
        closedir(entries)
      }
      rmdir(folder)
    }
  }
}
