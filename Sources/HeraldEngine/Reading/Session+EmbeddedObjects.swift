import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// Each embedded object has one owner, and their nesting is limited.

/// The maximum depth of nested embedded objects, so that recursion over them (a deletion, a dump, an
/// export) cannot exhaust the stack.
let embeddedDepthLimit = 100

extension Session {
  func isPart(_ object: ObjectID) -> Bool {
    schema.classSchema(object.classID)?.isEmbedded == true
  }

  /// Checks that embedded objects which are assigned to a property that does not hold them have no owner.
  /// `object` is nil if it does not exist yet.
  func checkEmbeddedOwners(_ coerced: CoercedContents, of object: ObjectID?) throws(HeraldError) {
    guard coerced.form.mayHoldEmbedded else { return }
    for index in 0..<coerced.count where coerced.column(index).mayHoldEmbedded {
      if let object, isHeld(coerced.content(index), of: coerced.property(index), at: object) {
        continue
      }
      let depthLeft = depthLeft(in: object, coerced.form.schema)
      let held = object.map { reader.value(coerced.column(index).property, of: $0) }
      switch coerced.content(index) {
      case .value(let value): if value != held { try checkEmbeddedOwner(value, depthLeft) }
      case .list(let values): for value in values { try checkEmbeddedOwner(value, depthLeft) }
      case .map(let entries):
        for value in entries.values { try checkEmbeddedOwner(value, depthLeft) }
      }
    }
  }

  /// Coerces a value for a collection of an object; an embedded object must have no owner.
  func coerce(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema,
    asPartOf object: ObjectID
  ) throws(HeraldError) -> Value {
    let coerced = try coerce(value, property, classSchema)
    if case .link(let target) = coerced, isPart(target) {
      try checkEmbeddedOwner(coerced, depthLeft(in: object, classSchema))
    }
    return coerced
  }

  private func checkEmbeddedOwner(_ value: Value, _ depthLeft: Int) throws(HeraldError) {
    guard case .link(let part) = value else { return }
    guard owner(of: part) == nil else { throw .embeddedHasOwner(name(of: part)) }
    guard !isDeeper(part, than: depthLeft) else {
      throw .embeddedTooDeeply(
        className: schema.classSchema(part.classID)?.name ?? "", limit: embeddedDepthLimit)
    }
  }

  /// Returns how many levels of embedded objects an object may still hold; nil is an object that does not
  /// exist yet.
  private func depthLeft(in object: ObjectID?, _ classSchema: ClassSchema) -> Int {
    guard let object else {
      return classSchema.isEmbedded ? embeddedDepthLimit - 1 : embeddedDepthLimit
    }
    return embeddedDepthLimit - depth(of: object)
  }

  /// Returns the number of embedded objects from an object up to its first owner that is not embedded,
  /// including itself. O(depth).
  func depth(of object: ObjectID) -> Int {
    var depth = 0
    var current: ObjectID? = object
    while let part = current, isPart(part), depth < embeddedDepthLimit {
      depth += 1
      current = owner(of: part)
    }
    return depth
  }

  /// Returns the owner of an embedded object; nil if it has none yet.
  private func owner(of part: ObjectID) -> ObjectID? {
    guard let reader = writing.reader else { return nil }
    var owner: ObjectID?
    for link in reader.layout.incoming(to: part.classID) where owner == nil {
      guard link.column.mayHoldEmbedded else { continue }
      reader.forEachOrigin(of: part, origin: link.origin, property: link.property) { origin, _ in
        owner = ObjectID(link.origin, origin)
        return false
      }
    }
    return owner
  }

  /// Returns whether an embedded object and those it holds are nested deeper than `limit`.
  private func isDeeper(_ part: ObjectID, than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    guard let reader = writing.reader, let form = reader.layout.form(part.classID),
      form.mayHoldEmbedded
    else { return false }
    for column in form.columns where column.mayHoldEmbedded {
      guard let property = form.schema.property(column.property) else { continue }
      for inner in reader.content(of: property, part).links
      where isDeeper(inner, than: limit - 1) {
        return true
      }
    }
    return false
  }
}

extension PropertyContent {
  fileprivate var links: [ObjectID] {
    switch self {
    case .value(let value): value.links
    case .list(let values): values.flatMap(\.links)
    case .map(let entries): entries.values.flatMap(\.links)
    }
  }

  /// Returns whether the lists and maps that represent it are nested deeper than `limit`.
  func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .value(let value): value.isDeeper(than: limit)
    case .list(let values): Value.list(values).isDeeper(than: limit)
    case .map(let entries): Value.map(entries).isDeeper(than: limit)
    }
  }
}
