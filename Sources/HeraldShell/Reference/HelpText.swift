/// What `help` prints.
package enum HelpText {
  private static let width = 78

  /// Every command with its one line.
  static var overview: String {
    var lines: [String] = []
    for section in CommandReference.sections {
      lines.append(section.title)
      for command in section.commands {
        let word = command.word.padded(to: 12)
        lines.append("  \(word)  \(command.summary)")
      }
      lines.append("")
    }
    lines.append("help WORD describes one of them.")
    return lines.joined(separator: "\n")
  }

  /// One command in full; nil for a word that is none.
  static func topic(_ word: String) -> String? {
    guard let command = CommandReference.commands.first(where: { $0.word == word }) else {
      return nil
    }
    var blocks = [command.synopsis.joined(separator: "\n"), "  " + command.summary + "."]
    blocks += command.details.map { wrapped($0, indent: "  ") }
    if !command.examples.isEmpty {
      blocks.append(command.examples.map { "    " + $0 }.joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n")
  }

  static func wrapped(_ text: String, indent: String) -> String {
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count, line.count + 1 + word.count > width {
        lines.append(line)
        line = indent
      }
      if line.count > indent.count { line += " " }
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
