package import HeraldModel

/// Something that a query reads of the store besides its rows, and that is the same for every row: an object by its key,
/// or a value of such an object or of another query.
package struct StoredRead: Sendable {
  enum Source: Sendable {
    /// An object that is named by its key, and whether there was one.
    case object(ObjectID, exists: Bool)
    /// A key that no object has.
    case missing(KeyedObject)
    /// An operand, with its values.
    case operand(Operand, [Value])
    /// An operand that each row evaluates for itself, over elements that are the same for every row, in some conditions.
    case elements(Operand, outer: Int)
  }

  /// What must change if the read is to differ.
  package enum Dependency: Sendable {
    /// A path from some objects, or from any of its class if there are none.
    case path(PropertyPath, from: [ObjectID]?)
    /// Which objects of a class there are.
    case population(ClassID)
  }

  /// A number of rows, or an aggregate of them, that can be kept up to date from change to change.
  package struct Aggregate: Sendable {
    package let query: BoundQuery
    /// All rows as one group, with the aggregate; nil for their number.
    package let grouping: BoundGrouping?
    /// The aggregate of no rows.
    package let ofNothing: Value
  }

  let source: Source
  /// How many of the reads just before it its operand was bound with.
  package let innerCount: Int

  init(_ source: Source, innerCount: Int) {
    self.source = source
    self.innerCount = innerCount
  }

  /// Whether only what each row reads differs, which is not compared.
  package var isOfEachRow: Bool { if case .elements = source { true } else { false } }

  /// The object that is named by its key.
  package var object: ObjectID? { if case .object(let object, _) = source { object } else { nil } }

  /// Whether it is in a version what it was when the query was bound; false if that is not known.
  package func isCurrent(_ reader: any ObjectReader) -> Bool {
    switch source {
    case .object(let object, let exists): exists && reader.exists(object)
    case .missing(let keyed): keyed.object(keyed.key.constantValues.first ?? .null, reader) == nil
    case .operand(let operand, let values):
      operand.fixedValue(reader).constantValues == values
    case .elements: false
    }
  }

  package var dependencies: [Dependency] {
    var found: [Dependency] = []
    switch source {
    case .object(let object, _): found.append(.population(object.classID))
    case .missing(let keyed): found.append(.population(keyed.classID))
    case .operand(let operand, _): operand.collectReads(outer: 0, into: &found)
    case .elements(let operand, let outer): operand.collectReads(outer: outer, into: &found)
    }
    return found
  }

  /// The rows whose number or aggregate it is, unless only reading all of them again gives the same to the last digit.
  package var aggregate: Aggregate? {
    guard case .operand(let operand, _) = source else { return nil }
    switch operand.kind {
    case .count(let path):
      guard path.hops.isEmpty, case .rows = path.start, let query = path.wholeQuery else {
        return nil
      }
      return Aggregate(query: query, grouping: nil, ofNothing: .int(0))
    case .aggregate(let operation, let path, let element):
      let ofRow = OperandPath(start: .root, hops: path.hops)
      guard let query = path.wholeQuery, let keyPath = ofRow.keyPath,
        operation.function.isFollowedExactly(element)
      else { return nil }
      let aggregate = BoundGrouping.Aggregate(
        operation: operation, value: SortOrder.Key(path: keyPath, isAscending: true),
        element: element)
      return Aggregate(
        query: query,
        grouping: BoundGrouping(
          query: query, keys: .none(of: query.classID), aggregates: [aggregate],
          rows: .everything),
        ofNothing: operation.apply(to: [], of: element))
    case .constant, .constants, .path, .measure, .each, .arithmetic, .call, .fallback, .subquery:
      return nil
    }
  }
}

extension OperandPath {
  /// The query whose rows the path begins at, if it begins at all of them and these are of no collection.
  var wholeQuery: BoundQuery? {
    switch start {
    case .extent(let classID): BoundQuery(classID: classID)
    case .rows(let rows): rows.isOfClass ? rows.query : nil
    case .root, .outer, .objects, .keyed: nil
    }
  }

  /// Adds what its values depend on, if it begins at what is the same for every row.
  func collectReads(into found: inout [StoredRead.Dependency]) {
    var objects: [ObjectID]?
    switch start {
    case .root, .outer: return
    case .objects(let known): objects = known
    case .extent(let classID): found.append(.population(classID))
    case .keyed(let keyed):
      keyed.key.collectReads(outer: 0, into: &found)
      found.append(.population(keyed.classID))
    case .rows(let rows): rows.collectReads(into: &found)
    }
    let ofObject = OperandPath(start: .root, hops: hops)
    found += ofObject.dependencies.map { .path($0, from: objects) }
  }
}

extension QueriedRows {
  fileprivate func collectReads(into found: inout [StoredRead.Dependency]) {
    collectSource(into: &found)
    found.append(.population(query.classID))
    found += query.dependencies.map { .path($0, from: nil) }
  }
}

extension Operand {
  /// The value of an operand that is the same for every row, as a constant.
  func fixedValue(_ reader: any ObjectReader) -> Operand {
    let scope = EvaluationScope(reader: reader, root: ObjectID(ClassID(0), 0))
    return isCollection ? .constants(values(scope)) : .constant(value(scope))
  }

  /// Adds what its values depend on.
  fileprivate func collectReads(outer: Int, into found: inout [StoredRead.Dependency]) {
    switch kind {
    case .constant, .constants: break
    case .path(let path), .count(let path), .measure(_, let path), .aggregate(_, let path, _):
      path.collectReads(into: &found)
    case .each(let owners, let operand):
      owners.collectReads(into: &found)
      owners.collectReads(into: &found) { operand.collectDependencies($0, into: &$1) }
    case .arithmetic(let first, let terms):
      first.collectReads(outer: outer, into: &found)
      for term in terms { term.operand.collectReads(outer: outer, into: &found) }
    case .call(_, let inner, let rest):
      for part in [inner] + rest { part.collectReads(outer: outer, into: &found) }
    case .fallback(let first, let other):
      first.collectReads(outer: outer, into: &found)
      other.collectReads(outer: outer, into: &found)
    case .subquery(let path, let condition):
      path.collectReads(into: &found)
      path.collectReads(outer: outer, into: &found) {
        condition.collectDependencies($0, into: &$1)
      }
    }
  }
}

extension OperandPath {
  /// Adds what is read of the objects at its end.
  fileprivate func collectReads(
    outer: Int = 0, into found: inout [StoredRead.Dependency],
    _ collect: (DependencyScope, inout [PropertyPath]) -> Void
  ) {
    var paths: [PropertyPath] = []
    collect(DependencyScope(outer: outer, at: OperandPath(start: .root, hops: hops)), &paths)
    var objects: [ObjectID]?
    if case .objects(let known) = start { objects = known }
    found += paths.map { .path($0, from: objects) }
  }
}
