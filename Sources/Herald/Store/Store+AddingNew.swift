import HeraldEngine
import HeraldModel

extension Store {
  /// Adds an object that was made outside, with those in no store that it leads to, also in circles.
  ///
  /// Errors: as of `add` by names; `hasObservers`. What was added before the error is taken back.
  public func add(_ object: NewObject) throws -> Object {
    try addGraph(from: object, asPart: false).last ?? Object(store: self, id: object.placeholder)
  }

  /// Every object that was added, what others lead to first where there is no circle: `object` is
  /// the last.
  ///
  /// - Parameter asPart: as an embedded object, for its owner to be given it next.
  package func addGraph(from object: NewObject, asPart: Bool) throws -> [Object] {
    var adding = GraphAdding(store: self)
    do {
      try adding.run(from: object, asPart: asPart)
      return adding.made.map(\.object)
    } catch {
      adding.takeBack()
      throw error
    }
  }
}

/// The adding of an object that is in no store, with all that it leads to.
private struct GraphAdding {
  /// An object whose targets are added before it.
  struct Step {
    var object: NewObject
    var targets: [NewObject]
    var next = 0
  }

  let store: Store
  private(set) var made: [(new: NewObject, object: Object)] = []
  /// Properties that lead to what comes later: in a circle something must.
  private var late: [(new: NewObject, content: NamedContent)] = []

  init(store: Store) { self.store = store }

  mutating func run(from root: NewObject, asPart: Bool) throws {
    var path = [Step(object: root, targets: root.targets)]
    var entered: Set<ObjectID> = [root.placeholder]
    while var step = path.popLast() {
      if step.next < step.targets.count {
        let target = step.targets[step.next]
        step.next += 1
        path.append(step)
        if target.standing == nil, entered.insert(target.placeholder).inserted {
          path.append(Step(object: target, targets: target.targets))
        }
      } else {
        let isPart = path.isEmpty ? asPart : try store.classSchema(step.object.className).isEmbedded
        try add(step.object, asPart: isPart)
      }
    }
    for (new, content) in late {
      guard let object = new.added, let content = resolved(content, of: new) else { continue }
      try object.set([content])
    }
    for (new, _) in made { new.release() }
  }

  private mutating func add(_ new: NewObject, asPart: Bool) throws {
    guard !new.isObserved else { throw HeraldError.hasObservers("the new \(new.className)") }
    var contents: [NamedContent] = []
    for content in new.contents {
      if let content = resolved(content, of: new) {
        contents.append(content)
      } else {
        late.append((new, content))
      }
    }
    let object =
      asPart
      ? try store.addPart(new.className, contents) : try store.add(new.className, contents)
    new.added = object
    made.append((new, object))
  }

  private func resolved(_ content: NamedContent, of new: NewObject) -> NamedContent? {
    new.resolved(content.content).map { (content.name, $0) }
  }

  /// What was taken back was not added, nor was anything that it leads to.
  func takeBack() {
    for (new, object) in made.reversed() {
      if object.isValid { try? store.delete(object) }
      new.added = nil
    }
  }
}
