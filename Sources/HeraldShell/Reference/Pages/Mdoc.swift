/// Plain text as mdoc(7).
enum Mdoc {
  /// One sentence a line, as mdoc recommends.
  static func filled(_ text: String) -> [String] {
    var lines: [String] = []
    var rest = Substring(text)
    while let end = rest.firstRange(of: ". ") {
      lines.append(escaped(String(rest[..<end.lowerBound]) + "."))
      rest = rest[end.upperBound...]
    }
    return lines + [escaped(String(rest))]
  }

  /// An argument of a macro.
  static func quoted(_ text: String) -> String {
    "\""
      + escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq") + "\""
  }

  /// The text with backslashes escaped, and a dot or a quote at its start, which would begin a request.
  static func escaped(_ text: String) -> String {
    let plain = text.split(separator: "\\", omittingEmptySubsequences: false)
      .joined(separator: "\\e")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }

  /// Lines that are set as they are typed.
  static func literal(_ lines: [String]) -> [String] {
    [".Bd -literal -offset indent"] + lines.map(escaped) + [".Ed"]
  }

  /// Each section of the commands as a list: the forms of a command, followed by the lines of `body`.
  static func commands(_ body: (Command) -> [String]) -> String {
    var lines: [String] = []
    for section in CommandReference.sections {
      lines += [".Ss \(section.title)", ".Bl -tag -width Ds"]
      for command in section.commands {
        lines += command.synopsis.map { ".It Li " + quoted($0) } + body(command)
      }
      lines.append(".El")
    }
    return lines.joined(separator: "\n")
  }

  static func summary(of command: Command) -> [String] {
    filled(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
  }
}
