import HeraldModel

extension PropertyReference {
  /// Notes a read of the property, unless it is a collection: of that, what is read is noted.
  @inline(__always)
  func track() {
    if binding._withUnsafeGuaranteedRef({ $0.owner.isTracking }) { trackProperty() }
  }

  @inline(never)
  private func trackProperty() {
    binding._withUnsafeGuaranteedRef { binding in
      guard let property = binding.table.property(atSlot: slot),
        property.definition.shape == .single
      else { return }
      binding.track(.named(property.name), of: number)
    }
  }
}

extension ClassBinding {
  /// Notes a read of a part of an object.
  func track(_ part: TrackedPart, of number: ObjectNumber) {
    guard core.canTrack else { return }
    let id = ObjectID(classID, number)
    core.track(part, of: TrackedObject(core), in: &core.tracker.sources, as: .object(id)) {
      source in
      try ObjectHandle(store: core.dynamic, id: id).observe { [weak source] object, change in
        source?.receive(change, object.store)
      }
    }
  }
}
