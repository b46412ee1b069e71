extension CommandReference {
  static let logCommands: [Command] = [
    .log,
    .keep,
    .version,
    .diff,
    .undo,
    .redo,
  ]
}
