import Herald

/// The explanation why a commit did, or did not, reach a token, as text and as fields.
struct ReasonText {
  private(set) var line = ""
  private(set) var fields: [OutputValue.Field] = []
  private let token: String

  init(_ token: String) { self.token = token }

  /// `output` names objects.
  mutating func describe(_ reason: DeliveryReason, _ output: (ObjectID) -> OutputValue) {
    switch reason {
    case .delivered(let summary):
      say("notified: \(summary.words)", "delivered", isNotified: true)
      fields += summary.fields
    case .pending: say("not notified yet: pending until the next delivery point", "pending")
    case .silenced: say("not notified: silenced", "silenced")
    case .notRefreshed(let version):
      say("not notified: not refreshed, others have committed version \(version)", "notRefreshed")
      add("version", .plain(.int(version)))
    case .observedLater: say("not notified: registered after the last commit", "observedLater")
    case .ended(let end): describe(end)
    case .untouched(let changed):
      say("not notified: nothing that it depends on changed" + Self.because(changed), "untouched")
      add("changed", changed)
    case .keyPathNotTouched(let keyPaths, let changed):
      let observed = keyPaths.isEmpty ? "none" : keyPaths.joined(separator: ", ")
      say(
        "not notified: key path not touched, of \(observed)" + Self.because(changed),
        "keyPathNotTouched")
      add("keyPaths", keyPaths)
      add("changed", changed)
    case .tooDeep(let limit, let distance, let changed):
      let observed = limit == 0 ? "its own properties" : "up to \(limit)"
      say(
        "not notified: too deep, \(distance) link\(distance == 1 ? "" : "s") away where it observes "
          + observed + Self.because(changed), "tooDeep")
      add("limit", .plain(.int(limit)))
      add("distance", .plain(.int(distance)))
      add("changed", changed)
    case .asBefore(let changed):
      say("not notified: the observed values are unchanged" + Self.because(changed), "asBefore")
      add("changed", changed)
    case .conditionAsBefore(let holds, let changed):
      say(
        "not notified: its condition " + (holds ? "held already" : "does not hold")
          + Self.because(changed), "conditionAsBefore")
      add("holds", .plain(.bool(holds)))
      add("changed", changed)
    case .noRow(let rows, let changed):
      let names = rows.map { (LiteralText.bareText(output($0.object)), $0.absence) }
      say("not notified: \(Self.words(for: names))" + Self.because(changed), "noRow")
      fields.append(
        OutputValue.Field(name: "objects", value: .list(rows.map { output($0.object) })))
      add("absences", rows.map(\.absence.word))
      add("changed", changed)
    }
  }

  /// Names neighbouring objects that are absent for the same reason together.
  private static func words(for rows: [(name: String, absence: AbsentRow.Absence)]) -> String {
    var parts: [String] = []
    var rest = rows[...]
    while let first = rest.first {
      let alike = rest.prefix { $0.absence == first.absence }
      let names = alike.map(\.name).joined(separator: ", ")
      parts.append("\(names) is not a row (\(first.absence.words))")
      rest = rest.dropFirst(alike.count)
    }
    return parts.joined(separator: "; ")
  }

  private mutating func describe(_ end: TokenEnd) {
    switch end {
    case .invalidated: say("dead: invalidated", "dead")
    case .objectDeleted(let isSilenced):
      say("dead: its object was deleted" + (isSilenced ? ", silenced" : ""), "dead")
    case .ownerDeleted(let isSilenced):
      say("dead: the owner of its rows was deleted" + (isSilenced ? ", silenced" : ""), "dead")
    case .schemaChanged: say("dead: what it needs was dropped from the schema", "dead")
    case .failed(let error): say("dead: \(error.eventMessage)", "dead")
    }
    add("end", .plain(.string(end.word)))
  }

  private mutating func say(_ words: String, _ reason: String, isNotified: Bool = false) {
    line = "\(token): \(words)"
    add("token", .plain(.string(token)))
    add("notified", .plain(.bool(isNotified)))
    add("reason", .plain(.string(reason)))
  }

  private mutating func add(_ name: String, _ value: OutputValue) {
    fields.append(OutputValue.Field(name: name, value: value))
  }

  private mutating func add(_ name: String, _ texts: [String]) {
    add(name, .list(texts.map { .plain(.string($0)) }))
  }

  private static func because(_ changed: [String]) -> String {
    changed.isEmpty ? "" : "; changed: \(changed.joined(separator: ", "))"
  }
}

extension TokenEnd {
  fileprivate var word: String {
    switch self {
    case .invalidated: "invalidated"
    case .objectDeleted: "objectDeleted"
    case .ownerDeleted: "ownerDeleted"
    case .schemaChanged: "schemaChanged"
    case .failed: "error"
    }
  }
}

extension AbsentRow.Absence {
  fileprivate var words: String {
    switch self {
    case .notMatching: "does not match"
    case .notInCollection: "is not in the collection"
    case .beyondLimit: "matches but is beyond the limit"
    case .notDistinct: "matches but is not the first of its equals"
    case .deleted: "was not one before its deletion"
    }
  }

  fileprivate var word: String {
    switch self {
    case .notMatching: "notMatching"
    case .notInCollection: "notInCollection"
    case .beyondLimit: "beyondLimit"
    case .notDistinct: "notDistinct"
    case .deleted: "deleted"
    }
  }
}

extension DeliverySummary {
  var words: String {
    switch self {
    case .initial(let rows): return "initial \(rows) row\(rows == 1 ? "" : "s")"
    case .update(let deletions, let insertions, let modifications):
      let counts = [
        Self.count(deletions, "deletion"), Self.count(insertions, "insertion"),
        Self.count(modifications, "modification"),
      ]
      return counts.compactMap(\.self).joined(separator: ", ")
    case .ownerDeleted: return "owner deleted"
    case .change(let names): return "change of \(names.joined(separator: ", "))"
    case .deleted: return "deleted"
    case .changed: return "changed"
    case .value: return "a new value"
    case .refreshRequired: return "refresh required"
    case .property(let name): return name
    case .invalidated: return "invalidated"
    case .error(let error): return "error \(error.eventMessage.quoted)"
    }
  }

  private static func count(_ count: Int, _ word: String) -> String? {
    count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
  }

  fileprivate var fields: [OutputValue.Field] {
    switch self {
    case .initial(let rows):
      [Self.field("event", "initial"), Self.field("count", rows)]
    case .update(let deletions, let insertions, let modifications):
      [
        Self.field("event", "update"), Self.field("deletions", deletions),
        Self.field("insertions", insertions), Self.field("modifications", modifications),
      ]
    case .ownerDeleted(let rows):
      [Self.field("event", "update"), Self.field("deletions", rows)]
    case .change(let names):
      [
        Self.field("event", "change"),
        OutputValue.Field(name: "properties", value: .list(names.map { .plain(.string($0)) })),
      ]
    case .deleted: [Self.field("event", "deleted")]
    case .changed: [Self.field("event", "changed")]
    case .value: [Self.field("event", "value")]
    case .refreshRequired: [Self.field("event", "refreshRequired")]
    case .property(let name): [Self.field("event", "property"), Self.field("name", name)]
    case .invalidated: [Self.field("event", "property"), Self.field("name", "invalidated")]
    case .error(let error):
      [Self.field("event", "error"), Self.field("message", error.eventMessage)]
    }
  }

  private static func field(_ name: String, _ text: String) -> OutputValue.Field {
    OutputValue.Field(name, .string(text))
  }

  private static func field(_ name: String, _ number: Int) -> OutputValue.Field {
    OutputValue.Field(name, .int(number))
  }
}
