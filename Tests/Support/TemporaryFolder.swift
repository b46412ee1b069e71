import Glibc

/// A folder of a test's own, which is removed with everything in it when the value is released.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    var template = Array("/tmp/herald-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FileTree.Failure(path: "/tmp", code: errno)
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { FileTree.remove(path) }

  /// Runs an asynchronous test in a folder of its own.
  package static func lend(_ body: (_ path: String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try await body(folder.path)
  }
}

/// Runs a test in a folder of its own.
package func withFolder(_ body: (_ path: String) throws -> Void) throws {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  try body(folder.path)
}
