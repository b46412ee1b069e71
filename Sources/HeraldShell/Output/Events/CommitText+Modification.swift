import Herald

extension CommitText.Modification {
  /// `3 → 4`; of a list `-[0] "a", +[2] "c", [1]: 3 → 4, [0→2] "b"`, of a set `+"c", -"a"`, of a map
  /// `["a"]: 1 → 2, +["b"] 3`.
  var text: String {
    switch (old, new) {
    case (.list(let old), .list(let new)):
      if let rows { return Self.text(rows, old, new) }
      return joined(
        new.filter { !old.contains($0) }.map { "+\(LiteralText.text($0))" },
        old.filter { !new.contains($0) }.map { "-\(LiteralText.text($0))" })
    case (.map(let old), .map(let new)): return text(old, new)
    case (_, _): return Self.text(old, new)
    }
  }

  private static func text(_ old: OutputValue, _ new: OutputValue) -> String {
    "\(LiteralText.text(old)) → \(LiteralText.text(new))"
  }

  /// The whole values where the parts do not differ, as for the order of a nested list.
  private func joined(_ parts: [String]...) -> String {
    let parts = parts.flatMap(\.self)
    return parts.isEmpty ? Self.text(old, new) : parts.joined(separator: ", ")
  }

  private static func text(
    _ rows: ChangeSet, _ old: [OutputValue], _ new: [OutputValue]
  ) -> String {
    let moves = Dictionary(rows.moves.map { ($0.old, $0.new) }) { first, _ in first }
    let moved = Set(moves.values)
    let (deleted, inserted) = (Set(rows.deletions), Set(rows.insertions))
    var parts: [String] = []
    for row in rows.deletions where old.indices.contains(row) {
      let value = LiteralText.text(old[row])
      parts.append(moves[row].map { "[\(row)→\($0)] \(value)" } ?? "-[\(row)] \(value)")
    }
    for row in rows.insertions where new.indices.contains(row) && !moved.contains(row) {
      parts.append("+[\(row)] \(LiteralText.text(new[row]))")
    }
    let kept = zip(
      old.indices.filter { !deleted.contains($0) }, new.indices.filter { !inserted.contains($0) })
    for (before, after) in kept where old[before] != new[after] {
      parts.append("[\(after)]: \(text(old[before], new[after]))")
    }
    return parts.isEmpty ? text(.list(old), .list(new)) : parts.joined(separator: ", ")
  }

  private func text(_ old: [OutputValue.Field], _ new: [OutputValue.Field]) -> String {
    func values(_ fields: [OutputValue.Field]) -> [String: OutputValue] {
      Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }
    let (before, after) = (values(old), values(new))
    return joined(
      new.compactMap { field in
        let key = "[\(field.name.quoted)]"
        guard let previous = before[field.name] else {
          return "+\(key) \(LiteralText.text(field.value))"
        }
        return previous == field.value ? nil : "\(key): \(Self.text(previous, field.value))"
      },
      old.filter { after[$0.name] == nil }.map {
        "-[\($0.name.quoted)] \(LiteralText.text($0.value))"
      })
  }
}
