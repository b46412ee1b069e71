extension CommandReference {
  static let observerCommands: [Command] = [
    .observe,
    .follow,
    .watch,
    .tokens,
    .events,
    .why,
    .explain,
    .invalidate,
    .refresh,
    .autorefresh,
  ]

  static let sessionCommands: [Command] = [
    .onSession,
    .sessions,
    .session,
  ]
}
