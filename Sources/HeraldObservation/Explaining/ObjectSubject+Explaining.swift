import HeraldModel
import HeraldQuery

extension ObjectSubject {
  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    let name = schema.name(of: object.classID)
    explanation.classes.append(name)
    switch filter {
    case .everything:
      explanation.view = ["an object of \(name): its own properties and its deletion"]
    case .keyPaths(let paths, let isExclusive):
      explanation.view = ["an object of \(name): key paths" + (isExclusive ? ", exclusive" : "")]
      explanation.depend(on: paths, schema)
    }
  }

  func isConcerned(
    _ changes: PendingChanges, _ interest: Interest, _ reader: any ObjectReader
  ) -> Bool {
    guard case .keyPaths = filter else {
      return ObjectSubject(object, .everything).report(changes, reader) != nil
    }
    if watches.reach(object, changes, reader) { return true }
    guard isSharing else { return false }
    let others = interest.classes[object.classID]?.objects[object.number] ?? []
    return others.contains { other in
      guard let other = other.subject as? ObjectSubject, other.isSharing else { return false }
      return other.watches.reach(object, changes, reader)
    }
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    switch filter {
    case .everything: changes.whyNot(object, keyPaths: nil, reader)
    case .keyPaths(let paths, _):
      changes.whyNot(object, keyPaths: paths.map { $0.text(reader.schema) }, reader)
    }
  }
}

extension ProjectionSubject {
  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    let names = fields.map(\.name).joined(separator: ", ")
    let name = schema.name(of: object.classID)
    explanation.view = ["projection of an object of \(name): \(names)"]
    explanation.depend(on: watches.map(\.path), schema)
  }

  /// A projection does not report values that are equal before and after.
  func isConcerned(
    _ changes: PendingChanges, _ interest: Interest, _ reader: any ObjectReader
  ) -> Bool {
    let alone = ProjectionSubject(object, fields)
    for watch in watches where [watch].reach(object, changes, reader) { alone.mark(watch.path) }
    return alone.report(changes, reader) != nil
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    changes.whyNot(object, keyPaths: fields.map(\.name), reader)
  }
}

extension PropertySubject {
  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    let name = schema.name(of: object.classID)
    guard let property = observedProperty?.property else {
      explanation.classes.append(name)
      explanation.view = ["the deletion of an object of \(name)"]
      return
    }
    explanation.view = ["one property of an object of \(name), reported at assignment"]
    _ = explanation.depend(on: property, of: object.classID, schema)
  }

  func isConcerned(
    _ changes: PendingChanges, _ interest: Interest, _ reader: any ObjectReader
  ) -> Bool {
    guard let property = observedProperty?.property else { return false }
    var isFound = false
    changes.change(of: object.classID)?.forEachObject(changing: property) {
      if $0 == object.number { isFound = true }
    }
    return isFound
  }
}

extension [PathWatch] {
  /// Whether something changed along one of the paths from an object.
  fileprivate func reach(
    _ object: ObjectID, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    contains { $0.path.root == object.classID && $0.roots(changes, reader).contains(object.number) }
  }
}
