import HeraldEngine
import HeraldModel
import HeraldQuery

/// The text of a predicate with the values that its placeholders stand for, each as a variable.
struct QueryArguments: QueryNames {
  private(set) var text: [UInt8] = []
  private var values: [String: QueryOperand] = [:]
  /// The shapes among the values, by the names of their variables.
  private var shapes: [String: any GeoShape] = [:]
  /// Where the operators end that compare letters without their marks.
  private var withoutMarks: Set<Int> = []
  private let core: StoreCore

  /// Replaces `%@` and its like by variables, and `%K` by the name of a property. Errors: `QueryArgumentError`.
  init(_ format: String, _ arguments: [Any?], _ core: StoreCore) throws {
    self.core = core
    var rest = arguments[...]
    var quote: UInt8?
    var bytes = Array(format.utf8)[...]
    while let byte = bytes.popFirst() {
      if let open = quote {
        text.append(byte)
        if byte == UInt8(ascii: "\\"), let escaped = bytes.popFirst() { text.append(escaped) }
        if byte == open { quote = nil }
        continue
      }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
      guard byte == UInt8(ascii: "%") else {
        if byte == UInt8(ascii: "["), takeOptions(&bytes) { continue }
        text.append(byte)
        continue
      }
      try take(Self.placeholder(&bytes), &rest, format)
    }
    guard rest.isEmpty else {
      throw QueryArgumentError(
        "the predicate '\(format)' has \(arguments.count - rest.count) placeholders for "
          + "\(arguments.count) arguments")
    }
  }

  /// Consumes what follows the bracket of `[d]` or `[cd]` after an operator, of which the language has `[c]`; returns false
  /// for anything else.
  private mutating func takeOptions(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
    let options = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    guard ["d", "cd", "dc"].contains(options) else { return false }
    withoutMarks.insert(text.count)
    if options != "d" { text += Array("[c]".utf8) }
    bytes = bytes[(end + 1)...]
    return true
  }

  /// Consumes a placeholder after its `%`.
  private static func placeholder(_ bytes: inout ArraySlice<UInt8>) -> UInt8 {
    while let byte = bytes.first, byte == UInt8(ascii: "l") || byte == UInt8(ascii: "z") {
      bytes.removeFirst()
    }
    return bytes.popFirst() ?? 0
  }

  private mutating func take(
    _ placeholder: UInt8, _ arguments: inout ArraySlice<Any?>, _ format: String
  ) throws {
    guard Self.placeholders.contains(placeholder) else {
      throw QueryArgumentError(
        "the predicate '\(format)' has an unknown placeholder "
          + "'%\(String(decoding: [placeholder], as: UTF8.self))'; use %@ for values and %K for names"
      )
    }
    guard let argument = arguments.popFirst() else {
      throw QueryArgumentError("the predicate '\(format)' has more placeholders than arguments")
    }
    if placeholder == UInt8(ascii: "K") {
      guard let name = argument as? String else {
        throw QueryArgumentError("an argument of '\(format)' for %K is not the name of a property")
      }
      text += Array(name.utf8)
      return
    }
    let name = "argument\(values.count)"
    if let shape = argument as? any GeoShape {
      shapes[name] = shape
      values[name] = .value(.null)
    } else {
      values[name] = try operand(argument, format)
    }
    text += Array("$\(name)".utf8)
  }

  private static let placeholders = Array("@Kdiufg".utf8)

  private func operand(_ argument: Any?, _ format: String) throws -> QueryOperand {
    if let range = argument as? any ClosedRangeOfValues {
      return .values(try range.bounds.map { try value($0, format) })
    }
    if let argument, !(argument is any PersistableElement), let sequence = argument as? any Sequence
    {
      return .values(try Self.elements(sequence).map { try value($0, format) })
    }
    return .value(try value(argument, format))
  }

  private static func elements(_ sequence: some Sequence) -> [Any?] { sequence.map { $0 } }

  private func value(_ argument: Any?, _ format: String) throws -> Value {
    guard let argument else { return .null }
    if let element = try argument as? any PersistableElement ?? AnyValue(bridging: argument) {
      let context = QueryContext(core)
      let value = context.encode(element)
      if let error = context.error { throw error }
      return value
    }
    throw QueryArgumentError(
      "an argument of the predicate '\(format)' is a '\(type(of: argument))', which is no value "
        + "that a property can have")
  }

  var variableNames: [String] { values.keys.sorted() }

  func variable(_ name: String) -> QueryOperand? { values[name] }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    guard let classSchema = core.session.schema.classSchema(named: className) else { return nil }
    return try core.session.find(classSchema, key: key)
  }

  func propertyName(_ name: String, of className: String) -> String? {
    // As Foundation's predicates may write it.
    name == "SELF" ? "self" : core.propertyName(name, of: className)
  }

  /// Parses the whole text. Errors: `QueryError`.
  func predicate() throws -> PredicateSyntax {
    let (predicate, end) = try QueryParser.parsePredicate(text, from: 0, spansLines: true)
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    if let next = text[end...].firstIndex(where: { !blanks.contains($0) }) {
      throw QueryError(
        message: "expected the end of the predicate, found "
          + "'\(String(decoding: text[next...], as: UTF8.self))'",
        span: SourceSpan(start: next, end: text.count))
    }
    return shapes.isEmpty && withoutMarks.isEmpty ? predicate : try extended(predicate)
  }

  /// The predicate with what the language has not: `place IN %@` with a shape asks whether the place is within it, and `[d]`
  /// compares letters without their marks.
  private func extended(_ predicate: PredicateSyntax) throws -> PredicateSyntax {
    let kind: PredicateSyntax.Kind =
      switch predicate.kind {
      case .comparison(let comparison): try extended(comparison)
      case .not(let inner): .not(try extended(inner))
      case .and(let parts): .and(try parts.map { try extended($0) })
      case .or(let parts): .or(try parts.map { try extended($0) })
      case .constant, .between, .condition: predicate.kind
      }
    return PredicateSyntax(kind, predicate.span)
  }

  private func extended(
    _ comparison: PredicateSyntax.Comparison
  ) throws -> PredicateSyntax.Kind {
    if withoutMarks.contains(comparison.operatorSpan.end) {
      var comparison = comparison
      comparison.left = ExpressionSyntax(.withoutMarks, [comparison.left])
      comparison.right = ExpressionSyntax(.withoutMarks, [comparison.right])
      return .comparison(comparison)
    }
    guard case .path(let right) = comparison.right.kind, case .variable(let name) = right.start,
      let shape = shapes[name]
    else { return .comparison(comparison) }
    guard comparison.isMembership, case .path(let place) = comparison.left.kind else {
      throw QueryArgumentError("a shape stands after 'IN', and before it the path of a place")
    }
    var within = comparison
    within.left = .isWithin(shape, place)
    within.isMembership = false
    within.right = ExpressionSyntax(.literal(.bool(true)), comparison.right.span)
    return .comparison(within)
  }
}

/// A closed range, which `BETWEEN` takes as its two bounds.
private protocol ClosedRangeOfValues {
  var bounds: [Any?] { get }
}

extension ClosedRange: ClosedRangeOfValues {
  fileprivate var bounds: [Any?] { [lowerBound, upperBound] }
}
