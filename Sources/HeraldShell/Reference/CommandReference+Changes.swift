extension CommandReference {
  static let changeCommands: [Command] = [
    .add,
    .new,
    .upsert,
    .set,
    .delete,
    .let,
  ]

  static let collectionCommands: [Command] = [
    .append,
    .insert,
    .remove,
    .move,
    .clear,
  ]

  static let transactionCommands: [Command] = [
    .write,
    .begin,
    .commit,
    .rollback,
  ]
}
