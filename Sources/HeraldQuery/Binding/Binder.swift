import HeraldModel

/// Binds syntax to a schema: resolves names to numbers, coerces literals to the types that they are
/// compared with, and throws errors with their positions.
struct Binder {
  /// One object that conditions are evaluated for: that of the query, then those of SUBQUERYs.
  struct Level {
    let variable: String?
    let classID: ClassID
    /// The projection through which the object is seen.
    let projection: ProjectionDefinition?
  }

  let schema: Schema
  let names: any QueryNames
  /// Evaluates paths from variables, so that `$max.age` is a constant; with nil, each row reads them.
  let reader: (any ObjectReader)?
  private(set) var levels: [Level]
  /// What binding found out, shared by the binders of nested conditions and queries.
  let notes: BindingNotes

  /// Whether an expression is bound for its value, so that an int divided by zero is an error, rather than
  /// for a comparison.
  var isOfValue = false
  /// Whether it is bound for a value that is observed: what a variable leads to is what it is now, not what it was at the
  /// first binding, and a quotient by zero has no value.
  var isObserved = false
  /// Whether objects that are named by their keys need not exist: before `??`.
  var allowsMissing = false
  /// Evaluates what queries in parentheses read besides their rows, and the collections of values that they select from:
  /// `reader`, unless that is nil.
  var presentReader: (any ObjectReader)?
  /// Receives what the names in the text mean; nil for a query that is to be evaluated.
  var resolved: ResolvedNames? { notes.resolved }

  init(
    root: ClassID?, schema: Schema, names: any QueryNames, reader: (any ObjectReader)?,
    projection: ProjectionDefinition? = nil, notes: BindingNotes? = nil
  ) {
    presentReader = reader
    self.schema = schema
    self.notes = notes ?? BindingNotes()
    self.names = notes == nil ? NotedNames(names, self.notes) : names
    self.reader = reader
    levels = root.map { [Level(variable: nil, classID: $0, projection: projection)] } ?? []
  }

  func entering(
    _ classID: ClassID, as variable: String, _ projection: ProjectionDefinition?
  ) -> Binder {
    var inner = self
    inner.levels.append(Level(variable: variable, classID: classID, projection: projection))
    return inner
  }

  /// The projection whose fields a path's first name is looked up in, and the step from which it may stand;
  /// nil for none.
  func projection(of path: PathSyntax) -> (ProjectionDefinition, start: Int)? {
    switch path.start {
    case .root:
      if let level = levels.last { return level.projection.map { ($0, 0) } }
      guard case .name(let name)? = path.steps.first?.kind else { return nil }
      return projection(named: name).map { ($0, 1) }
    case .variable(let variable):
      if let level = levels.last(where: { $0.variable == variable }) {
        return level.projection.map { ($0, 0) }
      }
      return names.projection(variable).map { ($0, 0) }
    case .query(let query):
      switch query.origin {
      case .className(let name): return projection(named: name.text).map { ($0, 0) }
      case .path(let path): return projection(ofRowsAt: path).map { ($0, 0) }
      }
    case .object: return nil
    }
  }

  /// The projection of the rows that a path leads to; nil if it leads beyond them.
  func projection(ofRowsAt path: PathSyntax) -> ProjectionDefinition? {
    guard let (projection, start) = projection(of: path),
      path.steps[start...].allSatisfy(\.kind.choosesRows)
    else { return nil }
    return projection
  }

  // MARK: Conditions

  func condition(_ syntax: PredicateSyntax) throws(QueryError) -> Condition {
    switch syntax.kind {
    case .constant(let value): return .constant(value)
    case .not(let inner): return .negation(of: try condition(inner))
    case .and(let parts): return .conjunction(of: try conditions(parts))
    case .or(let parts): return .disjunction(of: try conditions(parts))
    case .comparison(let comparison):
      return try self.comparison(comparison).withSource(ConditionSource([syntax]))
    case .between(let value, let range):
      return try between(value, range).withSource(ConditionSource([syntax]))
    case .condition(let value): return try condition(value)
    }
  }

  private func conditions(_ parts: [PredicateSyntax]) throws(QueryError) -> [Condition] {
    var conditions: [Condition] = []
    for part in parts { conditions.append(try condition(part)) }
    return conditions
  }

  // MARK: Names

  /// Returns the query that a name means in the place of a class: of all objects, or a defined one.
  func projected(_ name: String, _ span: SourceSpan) throws(QueryError) -> BoundQuery.Projected {
    if schema.classSchema(named: name) == nil, let definition = schema.query(named: name) {
      do throws(QueryError) {
        // The names in its own text are not those of this one.
        return try BoundQuery.bind(
          definition, schema: schema, names: names, reader: reader, notes: notes.ofDefinition)
      } catch {
        throw QueryError(message: error.message, span: span)
      }
    }
    let (found, projection) = try queried(name, span)
    return (BoundQuery(classID: found.id), projection)
  }

  /// The projection that a name means in the place of a class, also by a defined query.
  private func projection(named name: String) -> ProjectionDefinition? {
    if schema.classSchema(named: name) != nil { return nil }
    if let definition = schema.query(named: name) {
      return
        (try? BoundQuery.bind(
          definition, schema: schema, names: names, reader: reader,
          resolved: resolved.map { _ in ResolvedNames() }))?
        .projection
    }
    return schema.projection(named: name)
  }

  /// Returns the class that a name in a query means, with the projection if it is the name of one.
  func queried(
    _ name: String, _ span: SourceSpan
  ) throws(QueryError) -> (ClassSchema, ProjectionDefinition?) {
    let projection =
      schema.classSchema(named: name) == nil ? schema.projection(named: name) : nil
    return (try classSchema(named: projection?.className ?? name, span), projection)
  }

  func classSchema(named name: String, _ span: SourceSpan) throws(QueryError) -> ClassSchema {
    guard let found = schema.classSchema(named: name) else {
      let nearest = nearestName(to: name, in: schema.classes.map(\.name))
      throw QueryError(.model(.unknownClass(name, nearest: nearest)), span)
    }
    return try declared(found, span)
  }

  func classSchema(_ id: ClassID, _ span: SourceSpan) throws(QueryError) -> ClassSchema {
    guard let found = schema.classSchema(id) else {
      throw QueryError(.model(.unknownClass("\(id.rawValue)", nearest: nil)), span)
    }
    return try declared(found, span)
  }

  private func declared(
    _ found: ClassSchema, _ span: SourceSpan
  ) throws(QueryError) -> ClassSchema {
    guard found.isDeclared else { throw QueryError(.model(.undeclaredClass(found.name)), span) }
    return found
  }

  func property(
    named name: String, of classID: ClassID, _ span: SourceSpan
  ) throws(QueryError) -> PropertySchema {
    let owner = try classSchema(classID, span)
    let found =
      owner.property(named: name)
      ?? names.propertyName(name, of: owner.name).flatMap { owner.property(named: $0) }
    guard let property = found else {
      let nearest = nearestName(to: name, in: owner.properties.map(\.name))
      throw QueryError(
        .model(.unknownProperty(name, className: owner.name, nearest: nearest)), span)
    }
    return property
  }

  func object(
    _ className: String, key: Value, _ span: SourceSpan
  ) throws(QueryError) -> ObjectID {
    let classSchema = try classSchema(named: className, span)
    if let resolved {
      resolved.objects.append(ResolvedNames.Object(span: span, className: className, key: key))
      return ObjectID(classSchema.id, 0)
    }
    guard let object = try found(className, key: key, span) else {
      throw QueryError(.model(.noSuchObject("\(className)#\(key.literalText)")), span)
    }
    return object
  }

  /// The object of a class with a key; nil if there is none.
  func found(
    _ className: String, key: Value, _ span: SourceSpan
  ) throws(QueryError) -> ObjectID? {
    let object: ObjectID?
    do {
      object = try names.object(className, key: key)
    } catch let error as HeraldError {
      throw QueryError(.model(error), span)
    } catch {
      throw QueryError(message: "\(error)", span: span)
    }
    if let object, let reader { notes.note(object, className, key, reader) }
    return object
  }
}

extension Condition {
  /// Returns the conjunction, the cheapest part first, without constant parts.
  static func conjunction(of parts: [Condition]) -> Condition {
    var kept: [Condition] = []
    for part in parts {
      switch part {
      case .constant(true): break
      case .constant(false): return .constant(false)
      case .all(let inner): kept += inner
      case .any, .not, .column, .values, .pair, .function: kept.append(part)
      }
    }
    kept = kept.merged
    guard kept.count != 1 else { return kept[0] }
    return kept.isEmpty ? .constant(true) : .all(kept.sortedByCost)
  }

  static func disjunction(of parts: [Condition]) -> Condition {
    var kept: [Condition] = []
    for part in parts {
      switch part {
      case .constant(false): break
      case .constant(true): return .constant(true)
      case .any(let inner): kept += inner
      case .all, .not, .column, .values, .pair, .function: kept.append(part)
      }
    }
    guard kept.count != 1 else { return kept[0] }
    return kept.isEmpty ? .constant(false) : .any(kept.sortedByCost)
  }

  static func negation(of part: Condition) -> Condition {
    switch part {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    case .all, .any, .column, .values, .pair, .function: .not(part)
    }
  }
}

extension [Condition] {
  /// The conditions with all range tests of one column merged into the first of them.
  fileprivate var merged: [Condition] {
    guard count > 1 else { return self }
    var result: [Condition] = []
    var indices: [PropertyID: Int] = [:]
    for part in self {
      guard case .column(let column) = part, column.test.isSpan else {
        result.append(part)
        continue
      }
      if let index = indices[column.property], result[index].narrow(by: column) { continue }
      indices[column.property] = result.count
      result.append(part)
    }
    return result
  }

  fileprivate var sortedByCost: [Condition] {
    let costs = map(\.cost)
    if zip(costs, costs.dropFirst()).allSatisfy(<=) { return self }
    return indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { self[$0] }
  }
}
