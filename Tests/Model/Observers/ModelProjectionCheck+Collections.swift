import HeraldModel
import HeraldObservation

// A name that leads to any number of values is reported where they differ from before (7.3).

extension ModelProjectionCheck {
  /// Whether a name at which something changed is reported.
  func isNotified(_ path: [Int]) -> Bool {
    projected(path, span.old) != projected(path, span.new)
  }

  /// What a path leads to, as it is read: nil where a nil link leads to a collection.
  private func projected(_ path: [Int], _ state: ModelStore) -> [String]? {
    var owners = [id]
    var isOne = true
    for (place, step) in path.enumerated() {
      let property = span.new.schema.property(at: Array(path[...place]), from: projection.type)
      if place == path.count - 1 {
        guard isOne else { return owners.flatMap { texts(step, property, of: $0, state) } }
        return owners.first.map { texts(step, property, of: $0, state, withKeys: true) }
      }
      isOne = isOne && !property.isCollection
      owners = owners.flatMap { linked(step, property, of: $0, state) }
    }
    return nil
  }

  private func texts(
    _ step: Int, _ property: ModelSchema.Property, of owner: ObjectID, _ state: ModelStore,
    withKeys: Bool = false
  ) -> [String] {
    guard property.isCollection else { return ["\(state[owner]?.contents[step].value ?? .null)"] }
    return state.rows(step, of: owner).map { row in
      property.shape == .map && withKeys ? "\(row.mark): \(row.value)" : "\(row.value)"
    }
  }

  private func linked(
    _ step: Int, _ property: ModelSchema.Property, of owner: ObjectID, _ state: ModelStore
  ) -> [ObjectID] {
    property.isCollection
      ? state.rows(step, of: owner).flatMap(\.value.links)
      : state[owner]?.contents[step].value.links ?? []
  }
}
