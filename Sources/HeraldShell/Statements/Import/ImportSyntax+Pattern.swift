import Glibc
import Herald

extension ImportSyntax {
  /// The files that the path means: those that it fits, in the order of their names, if it is a pattern and no file has
  /// that name.
  func matching(_ context: Context) throws(ShellError) -> [ImportSyntax] {
    let pattern = path.text
    guard pattern != "-", pattern.contains(where: { "*?[".contains($0) }),
      access(pattern, F_OK) != 0
    else { return [self] }
    let paths = Self.paths(matching: pattern)
    guard !paths.isEmpty else {
      throw context.failure(
        .cannotRead(path: pattern, reason: "no file has such a name"), at: path.span)
    }
    return paths.map { text in
      var file = self
      file.path = Name(text: text, span: path.span)
      file.pattern = path.span
      return file
    }
  }

  private static func paths(matching pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }
}
