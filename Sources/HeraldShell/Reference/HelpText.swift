import Herald

/// What `help` prints, wrapped by words to a width.
package struct HelpText {
  /// The width in which no line is longer, where the words allow it.
  let width: Int

  /// The width of a wide window, and of output that no window shows.
  package static let widest = 78

  /// - Parameter columns: the columns of the window that shows the text; nil for none.
  package init(columns: Int? = nil) { width = min(Self.widest, max(20, (columns ?? .max) - 2)) }

  /// The commands by section, on one screen.
  package var overview: String {
    var rows = CommandReference.sections.map { ($0.title, $0.commands.map(\.word)) }
    rows.append(("Language", LanguageReference.sections.flatMap { $0.topics.map(\.names[0]) }))
    let column = (rows.map(\.0.count).max() ?? 0) + 2
    var blocks = [wrapped("A statement ends with the line, unless a bracket is open.")]
    blocks += rows.map { title, names in
      let separator = title == "Language" ? ", " : " "
      let text = names.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: separator)
      let isNarrow = width < 60
      let indent = String(repeating: " ", count: isNarrow ? 2 : column)
      let lines = wrapped(text, indent: indent).replacing("\u{A0}", with: " ")
      return isNarrow ? title + "\n" + lines : title.padded(to: column) + lines.dropFirst(column)
    }
    blocks += [
      "help WORD shows its syntax, rules and examples; help prompt the keys.",
      "help examples shows the store that they use; tour is an introduction.",
      "At the prompt Tab completes the word and Ctrl-R searches the history; Ctrl-C discards the line "
        + "or stops the statement that runs; Ctrl-D leaves.",
    ].map { wrapped($0) }
    return blocks.joined(separator: "\n")
  }

  /// The help on a command, a topic, a section or a keyword, in either case; nil if there is none.
  package func topic(_ name: String) -> String? {
    if name == Self.examples { return CommandReference.scene }
    let word = name.lowercased()
    var parts = CommandReference.commands.filter { $0.word == word }.map(description)
    for topic in LanguageReference.topics {
      if topic.names.contains(word) {
        parts.append(([topic.title] + topic.blocks.map(text)).joined(separator: "\n"))
      } else {
        parts += topic.items(named: word).map { text($0) }
      }
    }
    if parts.isEmpty { parts = sections(named: word) }
    parts += Self.forms(with: word).map { text(.item($0.example, $0.meaning)) }
    if parts.isEmpty { parts = (Self.synonyms[word] ?? []).compactMap(topic) }
    if parts.isEmpty { parts = forms(using: word) }
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  /// The topic that is not a command.
  static let examples = "examples"

  /// The names of topics, for completion and suggestions.
  package static let topics: [String] = {
    let topics = LanguageReference.topics
    var names = CommandReference.words + [examples]
    names += CommandReference.sections.map { $0.title.lowercased() }
    names += LanguageReference.sections.map { $0.title.lowercased() } + topics.flatMap(\.names)
    names += topics.flatMap(\.itemNames) + QueryParser.keywords.map { $0.lowercased() }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }()

  /// The word with help that is most like another one; nil if none is.
  static func nearest(to word: String) -> String? {
    StatementTable.nearest(to: word, in: topics + synonyms.keys.sorted())
  }

  /// The message that there is no help on a word, with the nearest that there is.
  package static func unknown(_ word: String) -> String {
    Diagnostic.unknownTopic(word, nearest: nearest(to: word)).message
  }
}

// MARK: Parts

extension HelpText {
  private func description(of command: Command) -> String {
    var blocks = [
      command.synopsis.map(wrappedForm).joined(separator: "\n"),
      wrapped(command.summary + ".", indent: "  "),
    ]
    if !command.details.isEmpty {
      blocks.append(
        command.details.map { wrapped($0, indent: "  - ", hanging: "    ") }
          .joined(separator: "\n"))
    }
    if !command.examples.isEmpty {
      blocks.append(
        command.examples.map { wrapped($0, indent: "    ", hanging: "      ") }
          .joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n")
  }

  private func text(_ block: Topic.Block) -> String {
    switch block {
    case .text(let text): wrapped(text, indent: "  ")
    case .lines(let lines):
      lines.map { wrapped($0, indent: "    ", hanging: "      ") }.joined(separator: "\n")
    case .item(let term, let meaning, words: _):
      (term.count + 2 <= width ? "  " + term : wrapped(term, indent: "  ", hanging: "    ")) + "\n"
        + wrapped(meaning, indent: "      ")
    }
  }

  /// A section of the manual page: what it describes, a line each.
  private func sections(named word: String) -> [String] {
    let commands = CommandReference.sections.filter { $0.title.lowercased() == word }
    let topics = LanguageReference.sections.filter { $0.title.lowercased() == word }
    return commands.map { section in
      section.commands.map { wrapped("\($0.word): \($0.summary)", indent: "  ", hanging: "      ") }
        .joined(separator: "\n")
    }
      + topics.map { section in
        section.topics.map { "  help \($0.names[0])" }.joined(separator: "\n")
      }
  }

  /// The forms of predicates that a keyword, or a word such as `@count` or `.lower`, occurs in.
  private static func forms(with word: String) -> [PredicateReference.Form] {
    let keyword = QueryParser.keywords.first { $0.lowercased() == word }
    guard let word = keyword ?? ("@.[".contains(word.prefix(1)) ? word : nil) else { return [] }
    return PredicateReference.forms.filter { $0.example.hasWord(word) || $0.meaning.hasWord(word) }
  }

  /// The forms of commands that a word occurs in, and those of commands whose description has it.
  private func forms(using word: String) -> [String] {
    var forms = CommandReference.commands.flatMap(\.synopsis).filter { $0.hasWord(word) }
    guard !forms.isEmpty else { return [] }
    for command in CommandReference.commands
    where !command.synopsis.contains(where: { $0.hasWord(word) })
      && command.details.contains(where: { $0.lowercased().hasWord(word) })
    { forms += command.synopsis }
    return forms.isEmpty ? [] : [forms.map(wrappedForm).joined(separator: "\n")]
  }

  /// A form of a command, wrapped so that each bracket that fits stays on one line.
  private func wrappedForm(_ form: String) -> String {
    guard width >= Self.widest else { return wrapped(form, indent: "", hanging: "    ") }
    var depth = 0
    let joined = form.map { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return character == " " && depth > 0 ? "\u{A0}" : character
    }
    return wrapped(String(joined), indent: "", hanging: "    ").replacing("\u{A0}", with: " ")
  }

  private func wrapped(_ text: String, indent: String = "", hanging: String? = nil) -> String {
    text.wrapped(to: width, indent: indent, hanging: hanging)
  }
}

extension String {
  /// The words in lines of at most `width` columns, where they fit; further lines begin with `hanging`.
  package func wrapped(to width: Int, indent: String = "", hanging: String? = nil) -> String {
    var lines: [String] = []
    var line = indent
    var begin = indent.count
    for word in split(separator: " ") {
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

  /// Whether the text has a word with no letter or digit around it.
  fileprivate func hasWord(_ word: String) -> Bool {
    ranges(of: word).contains { range in
      let isBegun = word.first?.isWordCharacter ?? false && range.lowerBound > startIndex
      let before = isBegun ? self[index(before: range.lowerBound)] : " "
      let after = range.upperBound < endIndex ? self[range.upperBound] : " "
      return !before.isWordCharacter && !after.isWordCharacter
    }
  }

  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Character {
  fileprivate var isWordCharacter: Bool { isLetter || isNumber || self == "_" }
}
