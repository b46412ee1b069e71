import Foundation

/// The objects of a store, property by property, to tell what a repair has changed without saying so.
struct RepairedRows {
  private struct Object: Hashable {
    let className: String
    let key: String
  }

  private var values: [Object: [String: String]] = [:]

  /// Reads the classes that exist in the end. A class that is not there has no objects.
  init(of path: String, _ herald: Herald) throws {
    for className in ["Thing", "Other"] {
      let outcome = try herald.run([path, "--json", "-c", "show \(className)"])
      guard outcome.status == 0 else { continue }
      let answer = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      let rows = (answer as? [String: Any])?["result"] as? [[String: Any]] ?? []
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

  /// The first thing that differs from an undamaged store and that a repair's report does not list; nil
  /// where there is none.
  func firstUnlisted(in report: String, of undamaged: RepairedRows) throws -> String? {
    guard
      let answer = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any],
      let result = answer["result"] as? [String: Any],
      let lost = result["lost"] as? [[String: Any]]
    else { return "a report that is none: \(report.prefix(200))" }
    var listed: [Object: Set<String>] = [:]
    var classes: Set<String> = []
    for loss in lost {
      // The schema, or the newest version: what an earlier one held is right then.
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
        return "\(object) was not there"
      }
      for (name, text) in properties where text != expected[name] {
        // Backlinks go with the links; embedded objects are listed by their own class.
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
