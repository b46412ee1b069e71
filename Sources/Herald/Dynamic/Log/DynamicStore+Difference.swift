import HeraldEngine
import HeraldModel
public import HeraldObservation
import HeraldQuery

extension DynamicStore {
  /// What changed in results between two frozen versions of the store, compared end to end: a change that was taken
  /// back in between is none. Modifications are those of the objects' own properties.
  ///
  ///     let (old, new) = (try store.frozen(at: 41), try store.frozen(at: 44))
  ///     let changes = try store.difference(from: old.objects("Dog"), to: new.objects("Dog"))
  ///
  /// O(rows of both + changes in between).
  ///
  /// Errors: `versionNotKept`, and those of reading the results.
  public func difference(
    from old: DynamicResults, to new: DynamicResults
  ) throws -> ChangeSet {
    let (before, after) = (try old.numbers(), try new.numbers())
    let (earlier, later) = (old.store.session.reader, new.store.session.reader)
    let candidates = try session.changedObjects(
      of: new.classID, from: old.store.version, to: new.store.version)
    let kept = Set(before).intersection(after)
    func differs(_ number: ObjectNumber) -> Bool {
      earlier.differs(from: later, at: ObjectID(new.classID, number))
    }
    let modified = kept.filter { candidates?.contains($0) ?? true }.filter(differs)
    let keys = new.query.stages.compactMap { stage in
      if case .sort(let order) = stage { order } else { nil }
    }
    var reordered: Set<ObjectNumber>?
    if case .allObjects = new.base {
      reordered = kept.filter { number in
        keys.contains { $0.keyValues(of: number, earlier) != $0.keyValues(of: number, later) }
      }
    } else if !keys.isEmpty {
      // Rows that are equal by their keys are in the order of the list.
      reordered = kept
    }
    return ChangeSet(from: before, to: after, modified: Set(modified), reordered: reordered)
  }
}

extension ObjectReader {
  /// Whether an object has another value here than in a later version, in a property that both have.
  fileprivate func differs(from later: any ObjectReader, at object: ObjectID) -> Bool {
    guard let properties = schema.classSchema(object.classID)?.properties,
      let others = later.schema.classSchema(object.classID)
    else { return false }
    return properties.contains { property in
      guard let other = others.property(property.id), !property.type.isBacklinks else {
        return false
      }
      let (shape, otherShape) = (property.type.shape, other.type.shape)
      if shape == .single, otherShape == .single {
        return value(property.id, of: object) != later.value(property.id, of: object)
      }
      return shape != otherShape
        || contents(property.id, shape, of: object)
          != later.contents(property.id, shape, of: object)
    }
  }
}
