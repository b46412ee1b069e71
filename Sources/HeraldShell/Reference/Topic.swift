/// A part of the language that is not a command, as the manual page and `help` describe it.
package struct Topic: Sendable {
  package enum Block: Sendable {
    case text(String)
    /// A form and its meaning; each of the words is a topic of its own.
    case item(String, String, words: [String] = [])
    /// Lines as they are typed or printed.
    case lines([String])
  }

  /// The heading in the manual page; in lower case, the name of the topic.
  package let title: String
  /// Other names of the topic.
  package let words: [String]
  package let blocks: [Block]

  init(_ title: String, words: [String] = [], _ blocks: [Block]) {
    self.title = title
    self.words = words
    self.blocks = blocks
  }

  /// The names that lead to the whole topic, in lower case.
  package var names: [String] { [title.lowercased()] + words }

  /// The names that lead to one of its items.
  package var itemNames: [String] {
    blocks.flatMap { block -> [String] in
      if case .item(_, _, let words) = block { words } else { [] }
    }
  }

  /// The items that a name leads to.
  func items(named name: String) -> [Block] {
    blocks.filter { block -> Bool in
      if case .item(_, _, let words) = block { words.contains(name) } else { false }
    }
  }

  /// The topic in mdoc(7), as a subsection.
  var mdoc: String { ".Ss \(title)\n" + mdocText }

  /// The text in mdoc(7), without a heading.
  var mdocText: String {
    var lines: [String] = []
    var isInList = false
    for (index, block) in blocks.enumerated() {
      if isInList, !block.isItem {
        lines += [".El", ".Pp"]
        isInList = false
      } else if index > 0, !block.isItem, case .text = block {
        lines.append(".Pp")
      }
      switch block {
      case .text(let text): lines += Mdoc.filled(text)
      case .lines(let texts): lines += Mdoc.literal(texts)
      case .item(let term, let meaning, words: _):
        if !isInList { lines.append(".Bl -tag -width Ds") }
        isInList = true
        lines.append(".It Li " + Mdoc.quoted(term))
        lines += Mdoc.filled(meaning)
      }
    }
    if isInList { lines.append(".El") }
    return lines.joined(separator: "\n")
  }
}

extension Topic.Block {
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
