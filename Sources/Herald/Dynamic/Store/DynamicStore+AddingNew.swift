import HeraldEngine
import HeraldModel

extension DynamicStore {
  /// Adds a new object to the store in the open transaction, with all new objects that it links to,
  /// directly or indirectly, cycles included.
  ///
  /// Errors: those of `add(_:_:)`; `hasObservers` where one of the new objects is observed. After an
  /// error, none of them is in the store. Cost: O(new objects and their links).
  package func add(_ object: NewObject) throws -> ObjectHandle {
    try addGraph(from: object, asEmbedded: false).last
      ?? ObjectHandle(store: self, id: object.placeholder)
  }

  /// Adds a new object with all new objects that it links to, and returns the added objects: link targets
  /// before their origins, except in cycles, and `object` last.
  ///
  /// - Parameter asEmbedded: Whether to add `object` as an embedded object, which must be assigned to its
  ///   owner next.
  package func addGraph(from object: NewObject, asEmbedded: Bool) throws -> [ObjectHandle] {
    var adding = GraphAdding(store: self)
    do {
      try adding.run(from: object, asEmbedded: asEmbedded)
      return adding.made.map(\.object)
    } catch {
      adding.undo()
      throw error
    }
  }
}

/// A depth-first traversal that adds a graph of new objects to a store.
private struct GraphAdding {
  /// An object on the traversal path, whose link targets are added before it.
  struct Step {
    var object: NewObject
    var targets: [NewObject]
    var next = 0
  }

  let store: DynamicStore
  private(set) var made: [(new: NewObject, object: ObjectHandle)] = []
  /// Properties with links to objects that are added later, as in every cycle; set at the end.
  private var deferred: [(new: NewObject, content: NamedContent)] = []

  init(store: DynamicStore) { self.store = store }

  mutating func run(from root: NewObject, asEmbedded: Bool) throws {
    var path = [Step(object: root, targets: root.targets)]
    var entered: Set<ObjectID> = [root.placeholder]
    while var step = path.popLast() {
      if step.next < step.targets.count {
        let target = step.targets[step.next]
        step.next += 1
        path.append(step)
        if target.stored == nil, entered.insert(target.placeholder).inserted {
          path.append(Step(object: target, targets: target.targets))
        }
      } else {
        let isPart =
          path.isEmpty ? asEmbedded : try store.classSchema(step.object.className).isEmbedded
        try add(step.object, asEmbedded: isPart)
      }
    }
    for (new, content) in deferred {
      guard let object = new.added, let content = resolved(content, of: new) else { continue }
      try object.set([content])
    }
    for (new, _) in made { new.release() }
  }

  private mutating func add(_ new: NewObject, asEmbedded: Bool) throws {
    guard !new.isObserved else { throw HeraldError.hasObservers("the new \(new.className)") }
    var contents: [NamedContent] = []
    for content in new.contents {
      if let content = resolved(content, of: new) {
        contents.append(content)
      } else {
        deferred.append((new, content))
      }
    }
    let object =
      asEmbedded
      ? try store.addEmbeddedObject(new.className, contents)
      : try store.add(new.className, contents)
    new.added = object
    made.append((new, object))
  }

  private func resolved(_ content: NamedContent, of new: NewObject) -> NamedContent? {
    new.resolved(content.content).map { (content.name, $0) }
  }

  /// Undoes the additions.
  func undo() {
    for (new, object) in made.reversed() {
      if object.isValid { try? store.delete(object) }
      new.added = nil
    }
  }
}
