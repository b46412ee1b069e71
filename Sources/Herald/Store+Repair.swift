import HeraldEngine
public import HeraldModel
public import HeraldQuery

extension Store {
  /// Makes a new store of what can still be read of a damaged one, object by object.
  ///
  ///     let report = try Store.repair(path: "pets.hdb", to: "pets-repaired.hdb")
  ///     for loss in report.lost { print(loss) }
  ///
  /// The damaged file is only read, and nothing that it says is believed without its checksum: this
  /// neither crashes nor hangs on any file. Objects keep their primary keys and their numbers; links to
  /// lost objects become nil or leave their collection, and a property that must have a value and has
  /// lost one becomes optional. What stands in for a lost part is what an earlier version had, and is
  /// among what was lost. Of a store without damage the new one has the same content.
  ///
  /// The new file is readable by its owner alone and on disk when this returns; where it fails or is
  /// stopped, nothing of it is left. Writers of the damaged store wait.
  ///
  /// Errors: `cannotOpen`; `notAStore` where nothing of a store is found; `newerFormat`; `locked` where
  /// somebody is writing to it; `cannotWrite` where something is at the new path; `full`; `interrupted`
  /// where `interruption` is requested.
  public static func repair(
    path: String, to new: String, interruption: Interruption? = nil
  ) throws -> RepairReport {
    try StoreRepair.run(path, to: new, interruption: interruption)
  }
}
