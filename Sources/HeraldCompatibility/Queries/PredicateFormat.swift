import Foundation
public import Herald

/// A condition as the format of an `NSPredicate`, with the values of its placeholders.
struct PredicateFormat {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  private var subqueries = 0
  /// The name of each variable of the subqueries around.
  private var variables: [String: String] = [:]
  /// The objects that it compares with, by the numbers of links.
  private let objects: [ObjectBase]

  init(_ condition: PredicateSyntax, _ objects: [ObjectBase]) {
    self.objects = objects
    append(whole: condition)
  }

  /// A condition by itself, or a part of a conjunction or disjunction.
  private mutating func append(whole condition: PredicateSyntax) {
    switch condition.kind {
    case .condition(let value): append(value, isTrue: true)
    case .not(let inner):
      if case .condition(let value) = inner.kind { return append(value, isTrue: false) }
      append(inner, "NOT ")
    case .constant, .comparison, .between, .and, .or: append(condition, "")
    }
  }

  private mutating func append(_ value: ExpressionSyntax, isTrue: Bool) {
    append(ExpressionSyntax(value.kind, value.span))
    text += " == \(isTrue)"
  }

  private mutating func append(_ condition: PredicateSyntax, _ prefix: String) {
    switch condition.kind {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .condition(let value): append(value, isTrue: true)
    case .not(let inner): append(inner, prefix + "NOT ")
    case .and(let parts): append(parts[...], "&&", prefix)
    case .or(let parts): append(parts[...], "||", prefix)
    case .comparison(let comparison):
      let options =
        (comparison.foldsCase ? "c" : "") + (comparison.left.beforeMarks == nil ? "" : "d")
      text += "(\(prefix)"
      append(comparison.left.beforeMarks ?? comparison.left)
      text += " \(comparison.isMembership ? "IN" : comparison.relation.rawValue)"
      text += options.isEmpty ? " " : "[\(options)] "
      append(comparison.searchedMap ?? comparison.right.beforeMarks ?? comparison.right)
      text += ")"
    case .between(let value, let range):
      text += "(\(prefix)"
      append(value)
      text += " BETWEEN {"
      if case .list(let bounds) = range.kind {
        for (index, bound) in bounds.enumerated() {
          if index > 0 { text += ", " }
          append(bound)
        }
      }
      text += "})"
    }
  }

  /// `a && b && c` is `((a && b) && c)`.
  private mutating func append(
    _ parts: ArraySlice<PredicateSyntax>, _ word: String, _ prefix: String
  ) {
    text += "\(prefix)("
    if parts.count > 2 {
      append(parts.dropLast(), word, "")
    } else {
      append(whole: parts[parts.startIndex])
    }
    text += " \(word) "
    append(whole: parts[parts.endIndex - 1])
    text += ")"
  }

  private mutating func append(_ expression: ExpressionSyntax) {
    if let quantifier = expression.quantifier { text += "\(quantifier.rawValue) " }
    switch expression.kind {
    case .literal(let value): append(argument: argument(value))
    case .list(let elements):
      let values = elements.compactMap { element -> Any? in
        if case .literal(let value) = element.kind { argument(value) } else { nil }
      }
      append(argument: NSArray(array: values))
    case .path(let path): append(path)
    case .subquery(let path, let variable, let condition):
      subqueries += 1
      let name = "col\(subqueries)"
      text += "SUBQUERY("
      append(path)
      text += ", $\(name), "
      variables[variable] = name
      append(whole: condition)
      text += ").@count"
    case .arithmetic, .call, .fallback, .duration, .record, .generated, .query, .test, .projection:
      text += expression.description
    }
  }

  private func argument(_ value: Value) -> Any {
    if case .link(let id) = value, objects.indices.contains(id.number) { return objects[id.number] }
    return value.foundation
  }

  private mutating func append(argument: Any) {
    text += "%@"
    arguments.append(argument)
  }

  private mutating func append(_ path: PathSyntax) {
    var isFirst = true
    if case .variable(let name) = path.start {
      text += "$\(variables[name] ?? name)"
      isFirst = false
    }
    for step in path.steps {
      switch step.kind {
      case .key(let key): append(subscript: key)
      case .index(let index): append(subscript: index)
      case .keys: append(name: "@allKeys", &isFirst)
      case .values: append(name: "@allValues", &isFirst)
      case .name, .links, .allLinks, .variable, .computed, .type, .first, .last, .every, .operation:
        append(name: step.kind.text, &isFirst)
      }
    }
  }

  private mutating func append(subscript index: Any) {
    text += "["
    append(argument: index)
    text += "]"
  }

  private mutating func append(name: String, _ isFirst: inout Bool) {
    text += isFirst ? name : ".\(name)"
    isFirst = false
  }
}

extension PredicateSyntax.Comparison {
  /// The map among whose values an element is looked for; nil for another comparison.
  fileprivate var searchedMap: ExpressionSyntax? {
    guard isMembership, case .path(var map) = right.kind, case .values? = map.steps.last?.kind
    else { return nil }
    map.steps.removeLast()
    return ExpressionSyntax(.path(map), quantifier: right.quantifier, right.span)
  }
}

extension ExpressionSyntax {
  /// The text whose letters are compared without their marks; nil for another expression.
  fileprivate var beforeMarks: ExpressionSyntax? {
    guard case .call(let call) = kind, call.function.text == "withoutMarks" else { return nil }
    return call.arguments.first
  }
}

extension Value {
  /// The value as a predicate has it.
  fileprivate var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): Data(value)
    case .date(let value): Date(value)
    case .decimal(let value): value
    case .uuid(let value): UUID(value)
    case .objectID(let value): value
    case .link, .list, .map: "\(self)"
    }
  }
}

extension Query {
  /// Begins a query without a store, whose condition can be looked at.
  public static func _constructForTesting() -> Query<T> {
    Query(.path([], collection: nil), QueryContext(nil))
  }
}

extension Query where T == Bool {
  /// The condition as the format of an `NSPredicate`, `(age > %@)`, and the values of its placeholders.
  public func _constructPredicate() -> (String, [Any]) {
    let format = PredicateFormat(predicate, context.objects)
    return (format.text, format.arguments)
  }
}
