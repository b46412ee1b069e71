package import Herald

/// What an event says of its rows.
struct EventRows {
  var keys: EventKeys?
  var details: EventDetails?
}

/// The primary keys of the objects in the rows of an event, or their numbers, in the order of the event.
package struct EventKeys: Equatable, Sendable {
  package var deletions: [OutputValue]
  package var insertions: [OutputValue]
  package var modifications: [OutputValue]
}

/// The changes of each row of an event, in the order of the event.
package struct EventDetails: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    /// A position, or a map's key.
    package enum Position: Equatable, Sendable {
      case position(Int)
      case inSection(SectionChangeSet.Position)
      case key(String)
    }
    /// In the old collection for a deletion, else in the new one.
    package var position: Position
    /// The previous content; nil if it is not known, and for objects that were only modified.
    package var old: OutputValue?
    /// The present content.
    package var new: OutputValue?
    /// The changed properties of the object in the row, or of those that it links to, by path.
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
    return words.isEmpty ? position.text : "\(position.text): \(words)"
  }
}

extension EventDetails.Row.Position {
  var text: String {
    switch self {
    case .position(let row): String(row)
    case .inSection(let position): position.text
    case .key(let key): key.quoted
    }
  }
}
