import Glibc
import Herald

/// The file of `--after-file`: in the first line the version of the last commit that the reader has, and in the second, if
/// the output is a regular file, where it ended then.
final class CursorFile: Sendable {
  private let path: String
  /// What the file said when it was opened; nil if there is none.
  let version: Int?
  let place: OutputPlace?

  init(_ path: String) throws {
    self.path = path
    guard access(path, F_OK) == 0 else {
      (version, place) = (nil, nil)
      return
    }
    do throws(File.Failure) {
      let text = String(decoding: try File.read(path), as: UTF8.self)
      let lines = text.split(whereSeparator: \.isNewline)
      guard let number = lines.first.flatMap({ Int($0) }), number >= 0 else {
        throw File.Failure(reason: "it does not contain a version")
      }
      version = number
      place = lines.dropFirst().first.flatMap { OutputPlace($0) }
    } catch { throw HeraldError.cannotOpen(path: path, reason: error.reason) }
  }

  /// Replaces the file. After a power cut an earlier version may be back, as the file is not synced.
  func write(_ version: Int, _ place: OutputPlace?) throws {
    do throws(File.Failure) {
      let file = try OutputFile(path, permissions: 0o600)
      try file.write("\(version)\n" + (place.map { $0.text + "\n" } ?? ""))
      try file.finish(syncs: false)
    } catch { throw HeraldError.cannotWrite(path: path, reason: error.reason) }
  }
}
