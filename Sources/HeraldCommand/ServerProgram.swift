import Glibc

/// The program that serves a store, which is built apart from this one.
enum ServerProgram {
  private static let name = "herald-serve"

  /// Becomes the program, with these arguments; returns only if it is missing.
  static func run(_ arguments: [String]) {
    let beside = folderOfThisProgram.map { $0 + "/" + name }
    let found = [beside].compactMap(\.self).filter { access($0, X_OK) == 0 } + [name]
    for program in found {
      var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
      words.append(nil)
      // A name without a slash is searched for on the PATH.
      execvp(program, words)
      for word in words { free(word) }
    }
  }

  static let missing =
    "'\(name)' is neither beside this program nor on the PATH; "
    + "'swift build -c release --product \(name)' builds it"

  private static var folderOfThisProgram: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { return nil }
    let program = String(
      decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.lastIndex(of: "/").map { String(program[..<$0]) }
  }
}
