import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// Embedded objects are parts of their owner: each has one, and only so many stand in one another.

/// How many embedded objects may stand in one another, so that whatever goes through them (a
/// deletion, a dump, an export) needs no more stack than there is.
let partsLimit = 100

extension Session {
  func isPart(_ object: ObjectID) -> Bool {
    schema.classSchema(object.classID)?.isEmbedded == true
  }

  /// Embedded objects that a property is given and does not hold yet must have no owner. `object` is
  /// nil where it is yet to be made. What `isKept` is not written, and needs no look.
  func checkParts(
    _ fitted: FittedContents, of object: ObjectID?,
    isKept: (PropertyContent, PropertySchema) -> Bool = { _, _ in false }
  ) throws(HeraldError) {
    guard fitted.form.leadsToParts else { return }
    for index in 0..<fitted.count where fitted.column(index).leadsToParts {
      if isKept(fitted.content(index), fitted.property(index)) { continue }
      let room = room(in: object, fitted.form.schema)
      let held = object.map { reader.value(fitted.column(index).property, of: $0) }
      switch fitted.content(index) {
      case .value(let value): if value != held { try checkPart(value, room) }
      case .list(let values): for value in values { try checkPart(value, room) }
      case .map(let entries): for value in entries.values { try checkPart(value, room) }
      }
    }
  }

  /// A value that is put into a collection of an object: one that is embedded must have no owner.
  func fit(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema,
    asPartOf object: ObjectID
  ) throws(HeraldError) -> Value {
    let fitted = try fit(value, property, classSchema)
    if case .link(let target) = fitted, isPart(target) {
      try checkPart(fitted, room(in: object, classSchema))
    }
    return fitted
  }

  private func checkPart(_ value: Value, _ room: Int) throws(HeraldError) {
    guard case .link(let part) = value else { return }
    guard owner(of: part) == nil else { throw .embeddedHasOwner(name(of: part)) }
    guard !isDeeper(part, than: room) else {
      throw .embeddedTooDeeply(
        className: schema.classSchema(part.classID)?.name ?? "", limit: partsLimit)
    }
  }

  /// How many embedded objects may stand in one another below an object; nil is one yet to be made.
  private func room(in object: ObjectID?, _ classSchema: ClassSchema) -> Int {
    guard let object else { return classSchema.isEmbedded ? partsLimit - 1 : partsLimit }
    return partsLimit - depth(of: object)
  }

  /// How many embedded objects there are from an object up to the one that is none, itself counted.
  /// O(depth).
  func depth(of object: ObjectID) -> Int {
    var depth = 0
    var place: ObjectID? = object
    while let part = place, isPart(part), depth < partsLimit {
      depth += 1
      place = owner(of: part)
    }
    return depth
  }

  /// The object that holds an embedded one; nil before it is given one.
  private func owner(of part: ObjectID) -> ObjectID? {
    guard case .open(let write) = writing else { return nil }
    var owner: ObjectID?
    for way in write.reader.layout.incoming(to: part.classID) where owner == nil {
      guard way.column.leadsToParts else { continue }
      reader.forEachOrigin(of: part, origin: way.origin, property: way.property) { origin, _ in
        owner = ObjectID(way.origin, origin)
        return false
      }
    }
    return owner
  }

  /// Whether an embedded object and those below it stand deeper in one another than `limit`.
  private func isDeeper(_ part: ObjectID, than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    guard case .open(let write) = writing, let form = write.reader.layout.form(part.classID),
      form.leadsToParts
    else { return false }
    for column in form.columns where column.leadsToParts {
      guard let property = form.schema.property(column.property) else { continue }
      for inner in write.reader.content(of: property, part).links
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

  /// Whether the lists and maps that it counts as lie deeper in one another than `limit`.
  func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .value(let value): value.isDeeper(than: limit)
    case .list(let values): Value.list(values).isDeeper(than: limit)
    case .map(let entries): Value.map(entries).isDeeper(than: limit)
    }
  }
}
