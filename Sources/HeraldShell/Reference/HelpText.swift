/// What `help` prints.
package enum HelpText {
  private static let width = 78

  /// The commands by section, on one screen.
  static var overview: String {
    let width = CommandReference.sections.map(\.title.count).max() ?? 0
    var blocks = ["A statement ends with the line, unless a bracket is open."]
    blocks += CommandReference.sections.map { section in
      let words = section.commands.map(\.word).joined(separator: " ")
      let text = wrapped(words, indent: String(repeating: " ", count: width + 2))
      return section.title.padded(to: width + 2) + text.dropFirst(width + 2)
    }
    blocks.append(
      """
      help WORD shows its syntax, its rules and examples.
      help examples shows the store that they use; tour is an introduction.
      At the prompt Tab completes the word and Ctrl-R searches the history;
      Ctrl-C discards the line or stops the statement that runs; Ctrl-D leaves.
      """)
    return blocks.joined(separator: "\n")
  }

  /// The full help of a command; nil where there is no command `word`.
  static func topic(_ word: String) -> String? {
    if word == examples { return CommandReference.scene }
    guard let command = CommandReference.commands.first(where: { $0.word == word }) else {
      return nil
    }
    var blocks = [
      command.synopsis.map(wrappedForm).joined(separator: "\n"),
      "  " + command.summary + ".",
    ]
    if !command.details.isEmpty {
      blocks.append(
        command.details.map { wrapped($0, indent: "  - ", hanging: "    ") }
          .joined(separator: "\n"))
    }
    if !command.examples.isEmpty {
      blocks.append(command.examples.map { "    " + $0 }.joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n")
  }

  /// The topic that is not a command.
  static let examples = "examples"

  /// A form of a command, wrapped so that each bracket stays on one line.
  private static func wrappedForm(_ form: String) -> String {
    var depth = 0
    let joined = form.map { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return character == " " && depth > 0 ? "\u{A0}" : character
    }
    return wrapped(String(joined), indent: "", hanging: "    ").replacing("\u{A0}", with: " ")
  }

  static func wrapped(_ text: String, indent: String, hanging: String? = nil) -> String {
    var lines: [String] = []
    var line = indent
    var begin = indent.count
    for word in text.split(separator: " ") {
      if line.count > begin, line.count + 1 + word.count > width {
        lines.append(line)
        line = hanging ?? indent
        begin = line.count
      }
      if line.count > begin { line += " " }
      line += word
    }
    lines.append(line)
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
