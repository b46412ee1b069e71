package import HeraldModel

/// What changed in rows from one version to another.
package struct ComparedRows {
  package var changeSet = ChangeSet()
  /// The objects of the rows that the change set names, in any order and maybe twice.
  package var objects: [ObjectNumber] = []

  package init() {}

  init(changeSet: ChangeSet, objects: [ObjectNumber]) {
    self.changeSet = changeSet
    self.objects = objects
  }

  /// The change set of rows of these objects before and after.
  package init(_ changeSet: ChangeSet, from old: [ObjectNumber], to new: [ObjectNumber]) {
    self.changeSet = changeSet
    objects =
      changeSet.deletions.map { old[$0] } + changeSet.insertions.map { new[$0] }
      + changeSet.modificationsNew.map { new[$0] }
  }
}
