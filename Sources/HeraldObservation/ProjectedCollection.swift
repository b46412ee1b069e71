import HeraldModel
import HeraldQuery

/// What a path with collections on it leads to in one version: what is read through the name of a
/// projection.
struct ProjectedCollection {
  struct Contents: Equatable {
    var elements: [Value] = []
    /// Of a map; of several maps the values alone are seen.
    var keys: [String] = []
  }

  private let reader: any ObjectReader
  private let last: PropertyPath.Step?
  /// The objects that the last step starts from, in order.
  private let owners: [ObjectID]
  /// Whether a step before the last is a collection: then what it leads to is one list.
  private let areSeveral: Bool

  /// O(objects on the way).
  init(_ path: PropertyPath, of object: ObjectID, _ reader: any ObjectReader) {
    self.reader = reader
    last = path.steps.last
    var owners = [object]
    var areSeveral = false
    for step in path.steps.dropLast() {
      areSeveral = areSeveral || step.isCollection(reader.schema)
      owners = owners.flatMap { owner in
        step.contents(of: owner, reader).elements.compactMap { value in
          if case .link(let target) = value { target } else { nil }
        }
      }
    }
    self.owners = owners
    self.areSeveral = areSeveral
  }

  /// How many elements there are, where that can be said without reading them: of one collection. Nil
  /// otherwise, and for a collection that a nil link leads to.
  var count: Int? {
    guard !areSeveral, let owner = owners.first, let last, last.isCollection(reader.schema),
      case .property(let property) = last.kind
    else { return nil }
    return reader.listCount(property, of: owner)
  }

  /// O(elements). Nil for a collection that a nil link leads to.
  var contents: Contents? {
    guard let last else { return nil }
    if !areSeveral { return owners.first.map { last.contents(of: $0, reader) } }
    return Contents(elements: owners.flatMap { last.contents(of: $0, reader).elements })
  }
}

extension PropertyPath.Step {
  /// Whether the step leads to any number of values.
  func isCollection(_ schema: Schema) -> Bool {
    switch kind {
    case .property(let property):
      places.isEmpty
        && schema.classSchema(classID)?.property(property)?.type.isCollection ?? false
    case .backlinks: true
    }
  }

  fileprivate func contents(
    of owner: ObjectID, _ reader: any ObjectReader
  ) -> ProjectedCollection.Contents {
    var contents = ProjectedCollection.Contents()
    switch kind {
    case .property(let property) where isCollection(reader.schema):
      reader.forEachElement(property, of: owner) { element in
        contents.elements.append(element)
        return true
      }
      let type = reader.schema.classSchema(classID)?.property(property)?.type
      if type?.shape == .map {
        contents.keys = contents.elements.indices.map { reader.mapKey(property, of: owner, at: $0) }
      }
    case .property:
      contents.elements = [
        value(at: PropertyPath(root: classID, steps: [self]), of: owner.number, reader)
      ]
    case .backlinks(let origin, let property):
      reader.forEachOrigin(of: owner, origin: origin, property: property) { number, links in
        let link = Value.link(ObjectID(origin, number))
        contents.elements += Array(repeating: link, count: links)
        return true
      }
    }
    return contents
  }
}
