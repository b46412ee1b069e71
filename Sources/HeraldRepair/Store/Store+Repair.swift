@_exported public import Herald

extension Store {
  /// Creates a new store from everything that is still readable in a damaged one.
  ///
  ///     import HeraldRepair
  ///
  ///     let report = try Store.repair(path: "pets.hdb", to: "pets-repaired.hdb")
  ///     for loss in report.lost { print(loss) }
  ///
  /// The damaged file is only read, and nothing in it is trusted without its checksum, so this neither
  /// crashes nor hangs on any file. Objects keep their primary keys and their numbers. Links to lost
  /// objects become nil or are removed from their collection, and a required property that lost a value
  /// becomes optional. A value of an earlier version replaces a lost one where there is one; the report
  /// lists these too. The new store of an undamaged one has the same content.
  ///
  /// The new file is readable by its owner alone and durable when this returns; after an error, nothing
  /// is left of it. Writers of the damaged store wait.
  ///
  /// - Returns: What was recovered, and what was lost.
  ///
  /// Errors: `cannotOpen`; `notAStore` if the file contains nothing of a store; `newerFormat`; `locked`
  /// if a program is writing to it; `cannotWrite` if the new file exists or cannot be written; `full`;
  /// `interrupted` if `interruption` is requested.
  public static func repair(
    path: String, to new: String, interruption: Interruption? = nil
  ) throws -> RepairReport {
    try StoreRepair.run(path, to: new, interruption: interruption)
  }
}
