public import Foundation
public import Herald

// Foundation on Linux cannot parse the text of a predicate. One that is made here takes the text along, and gives it to the
// query that it is used for.

extension NSPredicate {
  /// A predicate in the query language, for `filter` and `index(matching:)`; evaluated elsewhere, it stops the program.
  public convenience init(format predicateFormat: String, _ arguments: Any?...) {
    self.init(format: predicateFormat, arguments)
  }

  /// A predicate in the query language with the values of its placeholders.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(format: predicateFormat, (arguments ?? []).map { .some($0) })
  }

  private convenience init(format: String, _ arguments: [Any?]) {
    self.init { object, _ in
      guard let reading = object as? PredicateReading else {
        fatalError("the predicate '\(format)' is used outside of a query of a store")
      }
      reading.found = (format, arguments)
      return true
    }
  }

  /// The text of the predicate with the values of its placeholders. A block stops the program.
  var query: (format: String, arguments: [Any?]) {
    if let compound = self as? NSCompoundPredicate { return compound.parts }
    if self == NSPredicate(value: true) { return ("TRUEPREDICATE", []) }
    if self == NSPredicate(value: false) { return ("FALSEPREDICATE", []) }
    let reading = PredicateReading()
    _ = evaluate(with: reading)
    guard let found = reading.found else {
      fatalError("a predicate that is a block is no query; use 'NSPredicate(format:)'")
    }
    return found
  }
}

/// Receives the text of a predicate.
private final class PredicateReading {
  var found: (format: String, arguments: [Any?])?
}

extension NSCompoundPredicate {
  fileprivate var parts: (format: String, arguments: [Any?]) {
    let parts = subpredicates.map(\.query)
    let texts = parts.map { "(\($0.format))" }
    let text =
      switch compoundPredicateType {
      case .and: texts.isEmpty ? "TRUEPREDICATE" : texts.joined(separator: " AND ")
      case .or: texts.isEmpty ? "FALSEPREDICATE" : texts.joined(separator: " OR ")
      case .not: "NOT \(texts.joined())"
      @unknown default: fatalError("an unknown kind of compound predicate")
      }
    return (text, parts.flatMap(\.arguments))
  }
}

extension StoredCollection where Element: ResultElement {
  /// Returns the objects that match a predicate.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    let (format, arguments) = predicate.query
    do {
      return try query(format, arguments: arguments)
    } catch {
      fatalError("the predicate '\(format)' cannot be used: \(error)")
    }
  }

  /// Returns the index of the first object that matches a predicate.
  public func index(matching predicate: NSPredicate) -> Int? {
    let (format, arguments) = predicate.query
    return index(matching: format, arguments: arguments)
  }
}

extension StoredCollection where Element: PersistableValue {
  /// Returns the values that match a predicate, in which `self` is the value; live.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    let (format, arguments) = predicate.query
    return checked { try matchingValues(format, arguments) }
  }

  /// Returns the index of the first value that matches a predicate, in which `self` is the value, of a store or not.
  public func index(matching predicate: NSPredicate) -> Int? {
    let (format, arguments) = predicate.query
    return checked { try indexOfValue(matching: format, arguments) }
  }
}
