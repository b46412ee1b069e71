import Herald

/// The line below a watched table.
struct WatchFooter {
  /// The counts of the last event.
  struct Last: Equatable {
    var deletions: Int
    var insertions: Int
    var modifications: Int
    var moves: Int
    /// The time of day.
    var time: String

    init(_ changes: ChangeSet, time: String) {
      deletions = changes.deletions.count - changes.moves.count
      insertions = changes.insertions.count - changes.moves.count
      modifications = changes.modifications.count
      moves = changes.moves.count
      self.time = time
    }
  }

  var last: Last?
  var rate = ChangeRate()
  /// Further remarks.
  var notes: [String] = []

  /// How to leave is always shown; before it, of the other parts, as many as the width has room for.
  func text(count: Int, shown: Range<Int>, width: Int) -> String {
    var parts = ["\(count) \(count == 1 ? "row" : "rows")"]
    if shown.count < count, let last = shown.last { parts.append("\(shown.lowerBound)-\(last)") }
    parts += notes
    if let last { parts.append(words(last)) }
    parts.append("\(rate.rate)/s \(rate.spark)")
    let separator = " · "
    let leaving = "q leaves"
    var room = width - TextWidth.columns(leaving)
    let shownParts = parts.map(\.visible).prefix { part in
      room -= TextWidth.columns(part + separator)
      return room >= 0
    }
    return TextWidth.cut((shownParts + [leaving]).joined(separator: separator), to: width)
  }

  private func words(_ last: Last) -> String {
    let counts = [
      ("-", last.deletions), ("+", last.insertions), ("~", last.modifications), ("↕", last.moves),
    ]
    let changes = counts.filter { $0.1 > 0 }.map { "\($0)\($1)" }.joined(separator: " ")
    return "last \(changes) at \(last.time)"
  }
}
