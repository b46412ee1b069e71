import Herald

/// What happened to each row that an event tells of, in the order of the event.
package struct EventDetails: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    /// A position, or a map's key.
    package enum Place: Equatable, Sendable {
      case position(Int)
      case key(String)
    }
    /// In the old collection for a deletion, else in the new one.
    package var place: Place
    /// What stood there; nil where it is not known, and for objects that stayed.
    package var old: OutputValue?
    /// What stands there now.
    package var new: OutputValue?
    /// The properties that changed, of the object in the row or of those that it links to, by path.
    package var properties: [Event.Property] = []
  }

  package var deletions: [Row]
  package var insertions: [Row]
  package var modifications: [Row]
}

extension EventDetails.Row {
  /// `1: Dog#3 {...}`, `4: Dog#2 age 3 -> 4`, `"a": 1 -> 2`.
  var text: String {
    let values = [old, new].compactMap(\.self).map(LiteralText.text).joined(separator: " -> ")
    let changes = properties.map(EventText.text).joined(separator: ", ")
    let words = [values, changes].filter { !$0.isEmpty }.joined(separator: " ")
    return words.isEmpty ? place.text : "\(place.text): \(words)"
  }
}

extension EventDetails.Row.Place {
  var text: String {
    switch self {
    case .position(let row): String(row)
    case .key(let key): key.quoted
    }
  }
}
