extension CommandReference {
  static let storeCommands: [Command] = [
    .open,
    .status,
    .close,
    .check,
    .backup,
    .readers,
    .compact,
    .class,
    .embedded,
    .projection,
    .define,
    .alter,
    .drop,
    .schema,
  ]
}
