import Glibc
import HeraldShell

/// The user's editor of texts, `$VISUAL` or `$EDITOR`, run on a temporary file.
struct UserEditor {
  private let command: String
  /// The folder of temporary files.
  private let folder: String

  init(environment: Environment) {
    command = environment.value("VISUAL") ?? environment.value("EDITOR") ?? "vi"
    folder = environment.value("TMPDIR") ?? "/tmp"
  }

  /// Opens the editor on a text and waits until the user leaves it.
  func edit(_ text: String) -> Interpreter.Edited {
    var path = Array((folder + "/herald-XXXXXX.herald").utf8CString)
    let descriptor = mkstemps(&path, 7)
    guard descriptor >= 0 else { return .failed(reason: reason(of: errno)) }
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { unlink(name) }
    do {
      defer { close(descriptor) }
      try OutputBytes.write(Array((text + "\n").utf8), to: descriptor)
    } catch { return .failed(reason: error.reason) }
    let before = Self.state(of: name)
    // The shell splits the command into words; the path stays one word.
    let word = "'" + name.replacing("'", with: "'\\''") + "'"
    let status: Int32
    do {
      status = try ShellCommand("\(command) \(word)", standardInput: STDIN_FILENO).end()
    } catch { return .failed(reason: error.reason) }
    guard status == 0 else { return .failed(reason: "'\(command)' has failed") }
    guard Self.state(of: name) != before else { return .notSaved }
    return Self.content(of: name).map { .saved($0) } ?? .failed(reason: "it is not UTF-8")
  }

  /// What changes when a file is saved, in place or under its name.
  private static func state(of path: String) -> [Int] {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return [] }
    return [Int(facts.st_ino), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, Int(facts.st_size)]
  }

  private static func content(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var input = InputBytes(descriptor: descriptor)
    do {
      while try input.readMore() {}
    } catch { return nil }
    return String(validating: input.bytes, as: UTF8.self)
  }

  private func reason(of code: Int32) -> String { SystemFailure(code: code).reason }
}
