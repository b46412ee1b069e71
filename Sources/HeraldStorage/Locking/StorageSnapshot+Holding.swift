extension StorageSnapshot {
  /// Records who holds the version from now on, for `snapshotHolders`.
  package func label(_ label: ReaderLabel) {
    guard !isEnded, !isReleased, joined == nil else { return }
    if let table = file.table {
      if readerSlot == nil {
        readerSlot = .some(TransactionFields.readerSlot(of: transaction, in: file.handle))
      }
      if case .some(.some(let readerSlot)) = readerSlot {
        let note = ReaderNote(
          transaction: transaction.number, version: version, since: ReaderLabel.now, label: label)
        return table.note(note, inSlot: readerSlot)
      }
    }
    hold(by: label)
  }

  /// Records the holder of a version that no reader table lists, in place if it is the same as before.
  private func hold(by label: ReaderLabel) {
    if let holder, holder.label == label {
      return holder.move(to: transaction.number, version: version)
    }
    let holder = VersionHolding(label, transaction.number, version: version)
    self.holder = holder
    environment.hold(holder, by: ObjectIdentifier(self))
  }

  func forgetHolder() {
    guard holder != nil else { return }
    holder = nil
    environment.releaseVersion(heldBy: ObjectIdentifier(self))
  }
}
