import Foundation

/// The objects of a store, property by property, to find changes that a repair's report does not list.
struct RepairedRows {
  private struct Object: Hashable {
    let className: String
    let key: String
  }

  private var values: [Object: [String: String]] = [:]

  /// Reads the classes of the store. A missing class has no objects.
  init(of path: String, _ herald: Herald) throws {
    for className in ["Thing", "Other"] {
      let outcome = try herald.run([path, "--json", "-c", "show \(className)"])
      guard outcome.status == 0 else { continue }
      let reply = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      let rows = (reply as? [String: Any])?["result"] as? [[String: Any]] ?? []
      for row in rows {
        let properties = row["properties"] as? [String: Any] ?? [:]
        values[Object(className: className, key: Self.text(row["key"]))] =
          properties.mapValues { Self.text($0) }
      }
    }
  }

  private static func text(_ value: Any?) -> String {
    guard let value,
      let data = try? JSONSerialization.data(
        withJSONObject: [value], options: [.sortedKeys, .fragmentsAllowed])
    else { return "nothing" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the first difference from an undamaged store that a repair's report does not list; nil if there
  /// is none.
  func firstUnlisted(in report: String, of undamaged: RepairedRows) throws -> String? {
    guard
      let reply = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any],
      let result = reply["result"] as? [String: Any],
      let lost = result["lost"] as? [[String: Any]]
    else { return "an invalid report: \(report.prefix(200))" }
    var listed: [Object: Set<String>] = [:]
    var classes: Set<String> = []
    for loss in lost {
      // A loss of the schema or of the newest version permits values of an earlier one.
      guard let className = loss["class"] as? String else { return nil }
      let property = loss["property"] as? String
      if let key = loss["key"] ?? loss["number"] {
        listed[Object(className: className, key: Self.text(key)), default: []]
          .insert(property ?? "")
      }
      if property == nil { classes.insert(className) }
    }
    for (object, properties) in values {
      guard let expected = undamaged.values[object] else {
        if listed[object]?.contains("") == true { continue }
        return "\(object) did not exist"
      }
      for (name, text) in properties where text != expected[name] {
        // Backlinks are lost with the links; embedded objects are listed under their own class.
        let isPart =
          ["part", "parts"].contains(name) && lost.contains { $0["class"] as? String == "Part" }
        if name == "from" || isPart || listed[object]?.contains(name) == true { continue }
        return "\(object).\(name) is \(text), not \(expected[name] ?? "")"
      }
    }
    let missing = undamaged.values.keys.first { object in
      values[object] == nil && !classes.contains(object.className)
    }
    return missing.map { "\($0) is missing" }
  }
}
