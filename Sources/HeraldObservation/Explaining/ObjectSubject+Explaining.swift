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
  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    let alone = ProjectionSubject(object, fields)
    for watch in watches where watch.roots(changes, reader).contains(object.number) {
      alone.mark(watch.path)
    }
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
}
