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
    for observer in registry.all where observer.subject.depends(on: losses, schema) {
      guard observer.subject.hasRows else {
        end(observer, .schemaChanged)
        continue
      }
      observer.isLost = true
      queue.mark(observer, number)
    }
  }
}

extension PropertyPath {
  func depends(on losses: SchemaLosses) -> Bool {
    steps.contains { step in
      switch step.kind {
      case .property(let property): losses.contains(property, of: step.classID)
      case .backlinks(let origin, let property): losses.contains(property, of: origin)
      }
    }
  }
}
