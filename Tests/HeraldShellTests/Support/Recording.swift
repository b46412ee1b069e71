import Glibc
import TestSupport
import Testing

/// Files that the tests compare with: written anew where `HERALD_RECORD` is set.
enum Recording {
  static let isOn = getenv("HERALD_RECORD") != nil

  /// The folder of the package.
  static let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  static func path(_ relative: String) -> String { "/\(root)/\(relative)" }

  static func read(_ relative: String) -> String? {
    FileTree.exists(path(relative)) ? FileTree.text(path(relative)) : nil
  }

  static func write(_ text: String, to relative: String) throws {
    let file = try #require(fopen(path(relative), "w"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// Compares a text with a file of the package, or writes the file.
  static func check(_ text: String, against relative: String) throws {
    if isOn {
      if text.isEmpty { unlink(path(relative)) } else { try write(text, to: relative) }
      return
    }
    #expect(text == read(relative) ?? "", "\(relative) differs")
  }
}
