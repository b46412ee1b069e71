package import HeraldModel

/// `owner.dogs[0].name`, `$max.age`, `Dog#3.name`, `items.@sum.price`, `@links.Dog.owner.@count`.
package struct PathSyntax: Sendable {
  package enum Start: Sendable {
    /// The object under evaluation.
    case root
    case variable(String)
    /// `Dog#3`; `Dog#$x`, `Dog#(id + 1)`
    indirect case object(className: String, key: ExpressionSyntax)
    /// `(Dog sort(name))[0]`, only in statements.
    indirect case query(QuerySyntax)
  }

  package struct Step: Sendable {
    package enum Kind: Sendable {
      case name(String)
      /// `@links.Class.property`
      case links(className: String, property: String)
      /// `@links`, before `@count`: every link to the object.
      case allLinks
      /// `[0]`
      case index(Int)
      /// `["key"]`
      case key(String)
      /// `[$name]`: the index or the key that a variable holds.
      case variable(String)
      /// `[$name + 1]`, only in statements.
      case computed(ExpressionSyntax)
      case keys
      case values
      case type
      case first
      case last
      /// `[*]`
      case every
      case operation(CollectionOperation)
    }
    package let kind: Kind
    package let span: SourceSpan
    /// Whether it is a step of what the field of a projection at the span stands for.
    package let isOfField: Bool

    package init(kind: Kind, span: SourceSpan, isOfField: Bool = false) {
      self.kind = kind
      self.span = span
      self.isOfField = isOfField
    }
  }

  package var start: Start
  package var startSpan: SourceSpan
  package var steps: [Step]
  package var span: SourceSpan

  package init(start: Start, startSpan: SourceSpan, steps: [Step] = [], span: SourceSpan) {
    self.start = start
    self.startSpan = startSpan
    self.steps = steps
    self.span = span
  }
}

extension PathSyntax {
  /// Whether it leads to a number of rows or to an aggregate.
  package var hasOperation: Bool {
    steps.contains { if case .operation = $0.kind { true } else { false } }
  }

  /// The path before the last step.
  var droppingLastStep: PathSyntax {
    var path = self
    path.steps.removeLast()
    path.span.end = path.steps.last?.span.end ?? startSpan.end
    return path
  }
}

/// A step of a target, a path whose end a statement may change.
package enum TargetStep {
  case property(Name)
  case `subscript`(ExpressionSyntax)
}

extension PathSyntax.Step {
  /// A subscript of a statement; its span is that of the expression in the brackets.
  package init(subscript expression: ExpressionSyntax) {
    let kind: Kind =
      switch expression.kind {
      case .literal(.int(let index)): .index(index)
      case .literal(.string(let key)): .key(key)
      case .path(let path): path.variable.map { .variable($0) } ?? .computed(expression)
      case .literal, .list, .arithmetic, .subquery, .call, .fallback, .duration, .record,
        .generated, .query, .test, .projection:
        .computed(expression)
      }
    self.init(kind: kind, span: expression.span)
  }

  /// The step as one of a target.
  package var targetStep: TargetStep {
    switch kind {
    case .name(let name): .property(Name(text: name, span: span))
    case .index(let index): .subscript(ExpressionSyntax(.literal(.int(index)), span))
    case .key(let key): .subscript(ExpressionSyntax(.literal(.string(key)), span))
    case .variable(let name):
      .subscript(
        ExpressionSyntax(
          .path(PathSyntax(start: .variable(name), startSpan: span, span: span)), span))
    case .computed(let expression): .subscript(expression)
    // No target has such a step; no object has a property of such a name.
    case .links, .allLinks, .keys, .values, .type, .first, .last, .every, .operation:
      .property(Name(text: kind.text, span: span))
    }
  }

  var isCount: Bool { if case .operation(.count) = kind { true } else { false } }
}

extension PathSyntax {
  /// The name of the variable, if the path is nothing but one.
  package var variable: String? {
    if case .variable(let name) = start, steps.isEmpty { name } else { nil }
  }

  /// Whether the path is `$d.isInvalidated`.
  package var asksForInvalidation: Bool {
    guard steps.count == 1, case .name("isInvalidated") = steps[0].kind else { return false }
    return true
  }

  package var startsAtRoot: Bool { if case .root = start { true } else { false } }

  /// Whether the path leads from an object or a collection by names and subscripts only: a statement may
  /// change what it finds there.
  package var isTarget: Bool {
    guard !startsAtRoot else { return false }
    return steps.allSatisfy {
      switch $0.kind {
      case .name, .index, .key, .variable, .computed: true
      case .links, .allLinks, .keys, .values, .type, .first, .last, .every, .operation: false
      }
    }
  }
}

extension PathSyntax: CustomStringConvertible {
  package var description: String {
    var text =
      switch start {
      case .root: ""
      case .variable(let name): "$" + name
      case .object(let className, let key): className + "#" + key.keyText
      case .query(let query): "(\(query))"
      }
    for step in steps {
      let part = step.kind.text
      text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    }
    return text
  }
}

extension ExpressionSyntax {
  /// The text as the key of an object.
  fileprivate var keyText: String {
    switch kind {
    case .literal(.int), .literal(.string), .literal(.uuid), .literal(.objectID): description
    case .path(let path) where path.variable != nil: description
    case .literal, .list, .path, .arithmetic, .subquery, .call, .fallback, .duration, .record,
      .generated, .query, .test, .projection:
      "(\(self))"
    }
  }

  /// The value, if it is in the text.
  package var literal: Value? { if case .literal(let value) = kind { value } else { nil } }
}

extension PathSyntax.Step.Kind {
  /// Whether the step chooses one of several rows, or each of them.
  package var choosesRows: Bool {
    switch self {
    case .index, .first, .last, .every: true
    case .name, .links, .allLinks, .key, .variable, .computed, .keys, .values, .type, .operation:
      false
    }
  }

  package var text: String {
    switch self {
    case .name(let name): name
    case .links(let className, let property): "@links.\(className).\(property)"
    case .allLinks: "@links"
    case .index(let index): "[\(index)]"
    case .key(let key): "[\(key.quoted)]"
    case .variable(let name): "[$\(name)]"
    case .computed(let expression): "[\(expression)]"
    case .keys: "@keys"
    case .values: "@values"
    case .type: "@type"
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .every: "[*]"
    case .operation(let operation): operation.description
    }
  }
}
