import Glibc

/// A file of statements that is being read.
struct ScriptFile {
  let path: String
  /// The identity of the file, independent of its path; nil if it is not known.
  private let identity: Identity?

  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
  }

  /// - Parameter path: `-` is standard input.
  init(_ path: String) {
    self.path = path
    var facts = stat()
    identity =
      path != "-" && stat(path, &facts) == 0
      ? Identity(device: facts.st_dev, number: facts.st_ino) : nil
  }

  var source: Source {
    get throws(File.Failure) {
      Source(name: path, bytes: try File.read(path), path: path == "-" ? nil : path)
    }
  }

  func isSame(as other: ScriptFile) -> Bool {
    path == other.path || (identity != nil && identity == other.identity)
  }
}
