import HeraldModel
import HeraldQuery

// A token ends when a schema change removes a class or property that its query or its collection depends
// on. Its last report deletes every row; before the first call, it is an `initial` without rows. Key
// paths over dropped properties match nothing any more, and object tokens continue with the remaining
// properties.

extension Observatory {
  /// Marks the observers that depend on what a schema change removed. O(observers), for such records
  /// only.
  func markLosses(_ losses: SchemaLosses, _ number: Int, _ schema: Schema) {
    guard !losses.isEmpty else { return }
    for observer in observers.all {
      switch observer.subject {
      case .results(let subject):
        if subject.depends(on: losses) { lose(observer, number) }
      case .collection(let subject):
        if subject.depends(on: losses) { lose(observer, number) }
      case .property(let subject):
        guard let property = subject.property else { continue }
        if schema.classSchema(subject.object.classID)?.property(property) == nil {
          end(observer, .schemaChanged)
        }
      case .store, .object, .projection: break
      }
    }
  }

  private func lose(_ observer: Observer, _ number: Int) {
    observer.isLost = true
    markPending(observer, number)
  }
}

extension ResultsSubject {
  fileprivate func depends(on losses: SchemaLosses) -> Bool {
    if losses.classes.contains(query.classID) { return true }
    if let source, losses.contains(source.property, of: source.owner.classID) { return true }
    return query.dependencies.contains { $0.depends(on: losses) }
  }
}

extension CollectionSubject {
  fileprivate func depends(on losses: SchemaLosses) -> Bool {
    if losses.contains(property, of: owner.classID) { return true }
    guard let origin = live?.location.origin else { return false }
    return losses.contains(origin.property, of: origin.classID)
  }
}

extension PropertyPath {
  fileprivate func depends(on losses: SchemaLosses) -> Bool {
    steps.contains { step in
      switch step.kind {
      case .property(let property): losses.contains(property, of: step.classID)
      case .backlinks(let origin, let property): losses.contains(property, of: origin)
      }
    }
  }
}
