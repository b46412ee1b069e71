import HeraldModel
import HeraldQuery

/// The collection that a path leads to, directly or through collections, at one version: what a name of a
/// projection reads.
struct ProjectedContents {
  private let reader: any ObjectReader
  private let last: PropertyPath.Step?
  /// The objects from which the last step starts, in order.
  private let owners: [ObjectID]
  /// Whether a step before the last is a collection; then the contents are one concatenated list.
  private let areSeveral: Bool

  /// Follows the path up to the last step. O(objects on the path).
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

  /// The number of elements of a single collection, without reading them. Nil otherwise, and where a link
  /// on the path is nil.
  var count: Int? {
    guard !areSeveral, let owner = owners.first, let last, last.isCollection(reader.schema),
      case .property(let property) = last.kind
    else { return nil }
    return reader.listCount(property, of: owner)
  }

  /// Whether the contents are those of one map.
  var isMap: Bool {
    guard !areSeveral, let last, case .property(let property) = last.kind else { return false }
    return reader.schema.classSchema(last.classID)?.property(property)?.type.shape == .map
  }

  /// The contents; of several maps only the values. Nil where a link on the path is nil. O(elements).
  var contents: CollectionContents? {
    guard let last else { return nil }
    if !areSeveral { return owners.first.map { last.contents(of: $0, reader) } }
    return CollectionContents(elements: owners.flatMap { last.contents(of: $0, reader).elements })
  }
}

extension PropertyPath.Step {
  /// Whether the step leads to a collection.
  func isCollection(_ schema: Schema) -> Bool {
    switch kind {
    case .property(let property):
      positions.isEmpty
        && schema.classSchema(classID)?.property(property)?.type.isCollection ?? false
    case .backlinks: true
    }
  }

  fileprivate func contents(
    of owner: ObjectID, _ reader: any ObjectReader
  ) -> CollectionContents {
    switch kind {
    case .property(let property) where isCollection(reader.schema):
      let type = reader.schema.classSchema(classID)?.property(property)?.type
      return reader.contents(property, type?.shape ?? .list, of: owner)
    case .property:
      let path = PropertyPath(root: classID, steps: [self])
      return CollectionContents(elements: [value(at: path, of: owner.number, reader)])
    case .backlinks(let origin, let property):
      var contents = CollectionContents()
      reader.forEachOrigin(of: owner, origin: origin, property: property) { number, links in
        let link = Value.link(ObjectID(origin, number))
        contents.elements += Array(repeating: link, count: links)
        return true
      }
      return contents
    }
  }
}
