import Foundation

/// The rows that a reader has who applies the events of a query.
struct ReplayedEvents {
  private(set) var rows: [String] = []

  /// Applies an event: initial, or an update of rows.
  mutating func apply(_ json: String) throws {
    guard let event = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { throw Client.Failure(reason: "no object: \(json)") }
    func texts(_ key: String) throws -> [String] {
      try (event[key] as? [Any] ?? []).map { try Self.text($0) }
    }
    func numbers(_ key: String) -> [Int] { event[key] as? [Int] ?? [] }
    switch event["event"] as? String {
    case "initial": rows = try texts("rows")
    case "update":
      for row in numbers("deletions").reversed() { rows.remove(at: row) }
      for (row, text) in zip(numbers("insertions"), try texts("inserted")) {
        rows.insert(text, at: row)
      }
      for (row, text) in zip(numbers("modificationsNew"), try texts("modified")) {
        rows[row] = text
      }
    case let other: throw Client.Failure(reason: "unexpected \(other ?? "event")")
    }
  }

  /// The rows of an answer: `{"result":[...]}`.
  static func rows(of answer: String) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    return try (object?["result"] as? [Any] ?? []).map { try text($0) }
  }

  private static func text(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed]), as: UTF8.self)
  }
}
