extension CommandReference {
  static let storeCommands: [Command] = [
    .open,
    .status,
    .close,
    .check,
    .backup,
    .readers,
    .compact,
    .declareClass,
    .embedded,
    .projection,
    .define,
    .alter,
    .drop,
    .schema,
  ]
}
