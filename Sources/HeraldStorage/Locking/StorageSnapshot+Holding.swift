extension StorageSnapshot {
  /// Records who holds the version from now on, for `snapshotHolders`.
  package func label(_ label: ReaderLabel) {
    guard condition == .open, read.group == nil else { return }
    if let table = file.table {
      if holding.slot == nil {
        holding.slot = .some(TransactionFields.readerSlot(of: transaction, in: file.handle))
      }
      if case .some(.some(let slot)) = holding.slot {
        let note = ReaderNote(
          transaction: transaction.number, version: version, since: ReaderLabel.now, label: label)
        return table.note(note, inSlot: slot)
      }
    }
    // No reader table lists a version in memory.
    if let holder = holding.holder, holder.label == label {
      return holder.move(to: transaction.number, version: version)
    }
    let holder = VersionHolding(label, transaction.number, version: version)
    holding.holder = holder
    environment.hold(holder, by: ObjectIdentifier(self))
  }

  func forgetHolder() {
    guard holding.holder != nil else { return }
    holding.holder = nil
    environment.releaseVersion(heldBy: ObjectIdentifier(self))
  }
}
