import HeraldModel

/// The links that lead to what changed: recorded by a watch while it walks them backwards.
struct ChangeTrail {
  struct Link: Hashable {
    var kind: PropertyPath.Step.Kind
    var target: ObjectID
  }

  /// What of an object counts as changed.
  enum Change {
    case everyProperty
    case property(PropertyPath.Step.Kind)
  }

  /// An object at a step of the path; without a path always at step 0.
  private struct Node: Hashable {
    var object: ObjectID
    var step: Int
  }

  /// The path that the links follow; nil where every link is followed.
  let path: PropertyPath?
  /// The largest number of links from a row to a changed object.
  private let limit: Int
  private var links: [Node: [Link]] = [:]
  private var changed: Set<Node> = []

  init(limit: Int) {
    path = nil
    self.limit = limit
  }

  init(along path: PropertyPath) {
    self.path = path
    limit = path.steps.count - 1
  }

  mutating func noteChange(of object: ObjectID, at step: Int = 0) {
    changed.insert(Node(object: object, step: step))
  }

  mutating func noteLink(
    from object: ObjectID, at step: Int = 0, _ kind: PropertyPath.Step.Kind, to target: ObjectID
  ) {
    links[Node(object: object, step: step), default: []].append(Link(kind: kind, target: target))
  }

  /// Returns the links that lead on from an object that is `depth` links away from a row.
  func links(from object: ObjectID, at depth: Int) -> [Link] {
    guard depth < limit else { return [] }
    return links[Node(object: object, step: path == nil ? 0 : depth)] ?? []
  }

  /// Returns the changes of an object that is `depth` links away from a row; nil if there are none.
  func change(of object: ObjectID, at depth: Int) -> Change? {
    guard depth <= limit,
      changed.contains(Node(object: object, step: path == nil ? 0 : depth))
    else { return nil }
    return path.map { .property($0.steps[depth].kind) } ?? .everyProperty
  }
}
