package import HeraldModel

/// An expression over queries and collections, bound at one version: a value that can be observed.
package struct BoundValue: Sendable {
  /// The value at that version; nil if it cannot be computed, as a quotient by zero.
  package let value: Value
  /// The type of the value; nil if it is not known.
  package let element: ElementType?
  /// What it reads of the store, in order.
  package let reads: [StoredRead]
  /// Whether it is what it reads, and nothing is computed with that.
  private let isRead: Bool
  private let syntax: ExpressionSyntax
  private let schema: Schema
  private let answers: NamedAnswers

  /// Binds an expression that reads a query or a collection. Variables are read now. Errors: those of its names and types;
  /// that it is the same at every version.
  package static func bind(
    _ syntax: ExpressionSyntax, schema: Schema, names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> BoundValue {
    let bound = try bind(syntax, schema, names, reader, notes: nil)
    guard bound.reads.isEmpty else { return bound }
    throw QueryError(
      .expected("an aggregate of a query or a collection", found: "'\(syntax)'"), syntax.span)
  }

  private static func bind(
    _ syntax: ExpressionSyntax, _ schema: Schema, _ names: any QueryNames,
    _ reader: any ObjectReader, notes: BindingNotes?
  ) throws(QueryError) -> BoundValue {
    var binder = Binder(root: nil, schema: schema, names: names, reader: reader, notes: notes)
    binder.isOfValue = true
    binder.isObserved = true
    var (value, element) = (Value.null, ElementType?.none)
    do throws(QueryError) {
      let side = try binder.side(syntax)
      guard let constant = side.constant else {
        throw QueryError(.expected("a single value", found: "'\(syntax)'"), syntax.span)
      }
      (value, element) = (constant, side.element)
    } catch {
      guard error.isOfValue else { throw error }
    }
    let reads = binder.notes.reads
    let isPath = if case .path = syntax.kind { true } else { false }
    return BoundValue(
      value: value, element: element, reads: reads, isRead: isPath && reads.count == 1,
      syntax: syntax, schema: schema, answers: binder.notes.answers)
  }

  /// Returns the value at another version. Errors: those of binding it, if what it reads does not fit any more.
  ///
  /// - Parameter keepsObjects: whether an object that has been deleted is not replaced by another one with its key.
  package func bound(
    at reader: any ObjectReader, keepsObjects: Bool
  ) throws(QueryError) -> BoundValue {
    try bound(at: reader, [:], keepsObjects: keepsObjects)
  }

  /// The same.
  ///
  /// - Parameter known: values of its reads, by their place in order.
  package func bound(
    at reader: any ObjectReader, _ known: [Int: Value] = [:]
  ) throws(QueryError) -> BoundValue {
    if isRead, let value = known[0] {
      return BoundValue(
        value: value, element: element, reads: reads, isRead: true, syntax: syntax,
        schema: schema, answers: answers)
    }
    return try bound(at: reader, known, keepsObjects: false)
  }

  private func bound(
    at reader: any ObjectReader, _ known: [Int: Value], keepsObjects: Bool
  ) throws(QueryError) -> BoundValue {
    let names = KnownNames(
      answers: answers, schema: schema, reader: reader, keepsObjects: keepsObjects)
    let notes = BindingNotes(answers)
    notes.known = known
    return try Self.bind(syntax, schema, names, reader, notes: notes)
  }

  /// The objects whose collections it reads.
  package var owners: [ObjectID] {
    var owners: Set<ObjectID> = []
    for read in reads { owners.formUnion(read.owners) }
    return owners.sorted()
  }
}

extension StoredRead {
  /// The objects whose own collections it is read from.
  fileprivate var owners: [ObjectID] {
    guard case .operand(let operand, _) = source else { return [] }
    switch operand.kind {
    case .path(let path), .count(let path), .measure(_, let path), .aggregate(_, let path, _),
      .each(let path, _), .subquery(let path, _):
      return path.owners
    case .constant, .constants, .arithmetic, .call, .fallback: return []
    }
  }
}

extension OperandPath {
  /// Whether it leads from its objects to a collection of theirs, which may be within an `any`, and not to others before.
  private var isOfOwnCollection: Bool {
    guard let index = hops.firstIndex(where: \.isCollection) else { return false }
    return index == 0 || hops[1...index].allSatisfy(\.isWithinValue)
  }

  /// The objects that the path begins at, if it leads to a collection of theirs.
  fileprivate var owners: [ObjectID] {
    switch start {
    case .objects(let objects): isOfOwnCollection ? objects : []
    case .rows(let rows): rows.source?.owners ?? []
    case .root, .outer, .keyed, .extent: []
    }
  }
}
