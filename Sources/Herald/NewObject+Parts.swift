import HeraldEngine
import HeraldModel

/// Objects that are in no store, inside one that is in none either.
public enum NewParts {
  case one(NewObject)
  case list([NewObject])
  case map([String: NewObject])
}

extension NewObject {
  /// What `set` put into a property of objects that are in no store; nil where it holds others.
  public func parts(_ property: String) throws -> NewParts? { held[try checked(property).name] }

  /// Gives a property objects that are in no store. They are added together with this one: as its
  /// parts where their class is embedded, else as objects that it links to.
  ///
  /// Errors: a property that does not lead to their class or holds another number of them, objects
  /// that were added already.
  public func set(_ property: String, to parts: NewParts) throws {
    let property = try checked(property)
    let target = property.type.target.flatMap { store.schema.classSchema($0)?.name }
    let isFit =
      switch (parts, property.type.shape) {
      case (.one, .single), (.list, .list), (.list, .set), (.map, .map): true
      case (.one, _), (.list, _), (.map, _): false
      }
    for part in parts.objects {
      guard isFit, part.className == target else {
        throw HeraldError.wrongType(
          property: property.name, className: className,
          expected: store.schema.name(of: property.type), value: "a new \(part.className)")
      }
      guard part.added == nil else {
        throw HeraldError.embeddedHasOwner("\(part.className) that was added already")
      }
    }
    forget(property.name)
    held[property.name] = parts
  }
}

extension NewObject {
  /// What was taken back was not added, nor was anything inside it.
  fileprivate func forgetAdding() {
    added = nil
    for parts in held.values {
      for part in parts.objects { part.forgetAdding() }
    }
  }
}

extension NewParts {
  var objects: [NewObject] {
    switch self {
    case .one(let object): [object]
    case .list(let objects): objects
    case .map(let objects): objects.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

extension Store {
  /// Adds an object that was made outside, with those inside it.
  ///
  /// Errors: as of `add` by names; `hasObservers`. What was added before the error is taken back.
  public func add(_ object: NewObject) throws -> Object {
    var made: [Object] = []
    do {
      return try add(object, asPart: false, &made)
    } catch {
      for object in made.reversed() where object.isValid { try delete(object) }
      object.forgetAdding()
      throw error
    }
  }

  private func add(
    _ object: NewObject, asPart: Bool, _ made: inout [Object]
  ) throws -> Object {
    guard !object.isObserved else { throw HeraldError.hasObservers("the new \(object.className)") }
    var contents = object.contents
    for (property, parts) in object.held.sorted(by: { $0.key < $1.key }) {
      contents.append((property, try link(to: parts, &made)))
    }
    let added =
      asPart ? try addPart(object.className, contents) : try add(object.className, contents)
    made.append(added)
    object.added = added
    return added
  }

  private func link(
    to parts: NewParts, _ made: inout [Object]
  ) throws -> PropertyContent {
    switch parts {
    case .one(let part): return .value(try link(to: part, &made))
    case .list(let parts): return .list(try parts.map { try link(to: $0, &made) })
    case .map(let parts): return .map(try parts.mapValues { try link(to: $0, &made) })
    }
  }

  private func link(to part: NewObject, _ made: inout [Object]) throws -> Value {
    let isEmbedded = try classSchema(part.className).isEmbedded
    return .link(try add(part, asPart: isEmbedded, &made).id)
  }
}
