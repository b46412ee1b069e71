import HeraldModel
import HeraldQuery

// A token whose rows were found, ordered or held by what a change of the schema took away cannot go
// on. It hears the deletion of every row that it was told of, and is then dead; one that told
// nothing yet hears that there are none. Key paths over what is gone match nothing any more, and
// object tokens go on with what is left.

extension Observatory {
  /// Marks the observers that a record leaves without ground. O(observers), for such records only.
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
    owe(observer, number)
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
    guard let origin = live?.place.origin else { return false }
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
