import HeraldModel
import HeraldObservation
import HeraldQuery

@testable import TestModel

// What is observed, and what is read of it when something is delivered.

extension ObservationSession {
  private var schema: Schema { reader.schema }

  func target(
    _ sight: ModelObservation, _ restriction: ModelRestriction
  ) throws -> ObservedTarget {
    switch sight {
    case .store: return .store
    case .object(let object, let isExclusive):
      guard let paths = restriction.keyPaths else { return .object(object, .everything) }
      return .object(
        object, .keyPaths(try self.paths(paths, object.classID), isExclusive: isExclusive))
    case .results(let name, let text):
      if let projection = level.projections.first(where: { $0.name == name }) {
        return try rows(of: projection, text, restriction)
      }
      let classID = schema.classSchema(named: name)?.id ?? ClassID(0)
      let query = observatory.compacted(try query(text, classID, reader))
      return .results(query, try filter(restriction, classID))
    case .collection(let owner, let name):
      let property = try property(name, of: owner)
      return .collection(
        owner: owner, property: property.id,
        try filter(restriction, property.type.linkedClass))
    case .collectionResults(let owner, let name, let text):
      let property = try property(name, of: owner)
      let classID = property.type.linkedClass ?? owner.classID
      return .collectionResults(
        owner: owner, property: property.id, try query(text, classID, reader),
        try filter(restriction, classID))
    case .projection(let object, let name):
      let fields = try level.projections.first { $0.name == name }?.fields.flatMap { field in
        try schema.paths(field.path, from: object.classID).map {
          ProjectionField(name: field.name, path: $0)
        }
      }
      return .projection(object, fields: fields ?? [], keyPaths: restriction.keyPaths)
    case .property(let object, let name):
      return .property(object, try property(name, of: object).id)
    case .end(let object, _): return .invalidated(object, name: "invalidated")
    case .inside: throw Unknown(what: "nested collection")
    }
  }

  private func rows(
    of projection: ProjectionDefinition, _ text: String, _ restriction: ModelRestriction
  ) throws -> ObservedTarget {
    let classID = schema.classSchema(named: projection.className)?.id ?? ClassID(0)
    let query = try query(text, classID, reader, projection)
    let fields = projection.fields.filter { restriction.keyPaths?.contains($0.name) ?? true }
    return .results(query, .shown(try paths(fields.map(\.path), classID)))
  }

  private func property(_ name: String, of object: ObjectID) throws -> PropertySchema {
    guard let found = schema.classSchema(object.classID)?.property(named: name) else {
      throw Unknown(what: name)
    }
    return found
  }

  private func paths(_ keyPaths: [String], _ root: ClassID) throws -> [PropertyPath] {
    try keyPaths.flatMap { try schema.paths($0, from: root) }
  }

  private func filter(_ restriction: ModelRestriction, _ classID: ClassID?) throws -> RowFilter {
    if let paths = restriction.keyPaths {
      return .keyPaths(try classID.map { try self.paths(paths, $0) } ?? [])
    }
    return restriction.depth.map { .deep(limit: $0) } ?? .standard
  }

  /// Binds each line of a text to the rows of the one before.
  private func query(
    _ text: String, _ classID: ClassID, _ reader: ModelReader,
    _ projection: ProjectionDefinition? = nil
  ) throws -> BoundQuery {
    try text.split(separator: "\n").reduce(BoundQuery(classID: classID)) { query, line in
      let tail = try QueryParser.parseTail(Array(line.utf8), from: 0).tail
      return query.followed(
        by: try BoundQuery.bind(
          tail, root: classID, schema: reader.schema, names: NoNames(), reader: reader,
          projection: projection))
    }
  }

  // MARK: Reading

  func read(_ command: ModelCommand) throws -> ModelReply {
    let reader = ModelReader(write?.state ?? self.reader.state)
    switch command {
    case .read(let name):
      guard let classID = schema.classSchema(named: name)?.id else { throw Unknown(what: name) }
      return .objects(
        reader.state.numbers(of: classID).map { reading(ObjectID(classID, $0), reader) })
    case .ask(let name, let text):
      guard let classID = schema.classSchema(named: name)?.id else { throw Unknown(what: name) }
      let query = try query(text, classID, reader)
      let rows = query.rows(reader).map { ObjectID(classID, $0) }
      return .rows(rows, count: query.count(reader))
    case .askCollection(let owner, let name, let text):
      let property = try property(name, of: owner)
      let classID = property.type.linkedClass ?? owner.classID
      let numbers = reader.state.elements(of: owner, property.id).compactMap(\.linkedNumber)
      let rows = try query(text, classID, reader).rows(among: numbers, reader)
      return .rows(rows.map { ObjectID(classID, $0) }, count: rows.count)
    case _: return .faults(observatory.violations(self.reader))
    }
  }

  private func reading(_ object: ObjectID, _ reader: ModelReader) -> ModelReading {
    let properties = reader.schema.classSchema(object.classID)?.properties ?? []
    return ModelReading(
      id: object,
      contents: properties.map { property in
        guard property.type.isCollection else {
          return .value(reader.value(property.id, of: object))
        }
        return .rows(
          reader.state.elements(of: object, property.id),
          keys: reader.state[object]?.maps[property.id]?.keys.sorted() ?? [])
      })
  }

  // MARK: Delivering

  /// What a report says, with what a block would read.
  func event(
    _ report: Report, _ token: TokenID, _ target: ObservedTarget
  ) throws -> (ModelEvent, faults: [String]) {
    switch report {
    case .changed: return (.changed, [])
    case .refreshRequired: return (.refreshRequired, [])
    case .deleted: return (.deleted, [])
    case .change(let changes):
      return (.change(changes.map(ModelPropertyChange.init), reading(of: target)), [])
    case .property(let name, let old, let new):
      return (.assigned(property: name, .value(old: old, new: new)), [])
    case .propertyRows(let name, let kind, let rows):
      return (.assigned(property: name, ModelAssignment(kind, rows)), [])
    case .invalidated: return (.invalidated, [])
    // The model observes none.
    case .value: return (.changed, ["a value"])
    case .sections: return (.changed, ["sections"])
    case .rows(let delivered):
      let (rows, faults) = rows(of: target, token)
      let changes = ModelRowChanges(delivered.changes)
      return (.update(changes, ownerDeleted: false, rows), faults)
    case .collection(let change):
      let (rows, faults) = rows(of: target, token)
      switch change {
      case .initial(let count): return (.initial(count: count, rows), faults)
      case .update(let changes, let isDeleted):
        return (.update(ModelRowChanges(changes), ownerDeleted: isDeleted, rows), faults)
      case .mapUpdate(let changes, let isDeleted):
        let keys = ModelKeyChanges(
          deletions: changes.deletions, insertions: changes.insertions,
          modifications: changes.modifications)
        return (.mapUpdate(keys, ownerDeleted: isDeleted, rows), faults)
      case .error(let error): throw error
      }
    case .error(let error): throw error
    }
  }

  private func reading(of target: ObservedTarget) -> ModelReading? {
    switch target {
    case .object(let object, _), .projection(let object, _, _):
      reader.exists(object) ? reading(object, reader) : nil
    case _: nil
    }
  }

  /// The rows that a view keeps, and where they differ from those of a collection.
  private func rows(of target: ObservedTarget, _ token: TokenID) -> (ModelRows, faults: [String]) {
    let kept = observatory.objects(of: token, at: 0..<Int.max, reader)?.map(Value.link)
    guard case .collection(let owner, let property, _) = target else {
      return (ModelRows(kept ?? []), [])
    }
    let values = reader.state.elements(of: owner, property)
    let keys = reader.state[owner]?.maps[property]?.keys.sorted() ?? []
    let isKept = kept == nil || kept == values || !observatory.isLive(token)
    return (
      ModelRows(values, keys: keys), isKept ? [] : ["the view's rows are not the collection's"]
    )
  }
}

extension Value {
  fileprivate var linkedNumber: ObjectNumber? {
    if case .link(let target) = self { target.number } else { nil }
  }
}
