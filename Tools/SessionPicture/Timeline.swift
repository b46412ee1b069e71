/// The times at which the parts of a session appear, in milliseconds since its beginning.
struct Timeline {
  struct Typing {
    /// The prompt appears.
    let shown: Int
    let begins: Int
    let ends: Int
    /// Enter is pressed: the output and the next prompt appear.
    let entered: Int
  }

  let typings: [Typing]
  /// The end, after which the animation repeats.
  let duration: Int

  private static let key = 38
  private static let beforeTyping = 500
  private static let beforeEnter = 350
  /// The time to read a line of output.
  private static let reading = 650
  private static let lookingBack = 5_000

  init(_ session: RecordedSession) {
    var typings: [Typing] = []
    var now = 0
    var lines = 0
    for exchange in session.exchanges {
      let begins = now + Self.beforeTyping + lines * Self.reading
      let ends = begins + exchange.statement.count * Self.key
      let entered = ends + Self.beforeEnter
      typings.append(Typing(shown: now, begins: begins, ends: ends, entered: entered))
      now = entered
      lines = exchange.output.count
    }
    self.typings = typings
    duration = now + Self.lookingBack
  }

  /// Returns a time as a percentage of the duration, in the form of style sheets.
  func percentage(_ time: Int) -> String {
    let parts = time * 100_000 / duration
    let decimals = String(parts % 1_000)
    return "\(parts / 1_000).\(String(repeating: "0", count: 3 - decimals.count))\(decimals)%"
  }
}
