import Herald

// Characters that a terminal would interpret rather than show: control characters of ASCII and of
// Latin-1, including escape, and bidirectional formatting characters, which can disguise a text.

extension String {
  /// The text made safe for a terminal: characters that the terminal would interpret are escaped as in a
  /// string literal, line breaks and tabs too; for text with a layout see `visibleLines`.
  package var visible: String { escaping { $0.isObeyed } }

  /// The same for text with a layout: line breaks and tabs stay.
  package var visibleLines: String { escaping { $0.isObeyed && $0 != "\n" && $0 != "\t" } }

  /// The text with bidirectional formatting characters escaped.
  package var withVisibleDirections: String { escaping { $0.turnsDirection } }

  private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
      unicodeScalars.contains(where: isEscaped)
    else { return self }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if isEscaped(scalar) {
        text.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool { value < 0x20 || 0x7F...0x9F ~= value || turnsDirection }

  fileprivate var turnsDirection: Bool {
    switch value {
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The escape as in a string literal and in JSON; four digits suffice for all of these.
  fileprivate var escape: String {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
