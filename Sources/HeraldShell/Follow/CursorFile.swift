import Glibc
import Herald

/// The file of `--after-file`: the version of the last commit that the reader has.
final class CursorFile {
  private let path: String
  /// What the file said when it was opened; nil if there is none.
  let version: Int?

  init(_ path: String) throws {
    self.path = path
    guard access(File.expanded(path), F_OK) == 0 else {
      version = nil
      return
    }
    do throws(File.Failure) {
      let text = String(decoding: try File.read(path), as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      guard let number = Int(line), number >= 0 else {
        throw File.Failure(reason: "it does not contain a version")
      }
      version = number
    } catch {
      throw HeraldError.cannotOpen(path: path, reason: error.reason)
    }
  }

  /// Replaces the file. A power cut may bring an earlier version back, as nothing is synced.
  func write(_ version: Int) throws {
    do throws(File.Failure) {
      let file = try OutputFile(path)
      try file.write("\(version)\n")
      try file.finish(syncs: false)
    } catch {
      throw HeraldError.cannotWrite(path: path, reason: error.reason)
    }
  }
}
