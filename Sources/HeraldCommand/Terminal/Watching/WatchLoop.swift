import Glibc
import HeraldShell

/// Shows a watched table on the whole screen until the user leaves. Sleeps while nothing is typed, nobody
/// commits and no mark fades.
struct WatchLoop {
  let watch: Watch
  let terminal: TerminalDescriptors
  let eventQueue: TerminalEventQueue
  let streams: StandardStreams
  let isColored: Bool

  private var keys = WatchKeys()
  private var picture = ScreenPicture()
  /// True at first: the first turn delivers the initial rows.
  private var isTurnDue = true
  private var isPictureDue = true
  private var lastShown: ContinuousClock.Instant?
  private var isInputOver = false
  /// The output of other observers meanwhile.
  private var events = ""
  /// Messages for the next reader of the terminal.
  private var deferred: [TerminalEventQueue.Message] = []

  init(
    _ watch: Watch, on terminal: TerminalDescriptors, eventQueue: TerminalEventQueue,
    streams: StandardStreams,
    isColored: Bool
  ) {
    self.watch = watch
    self.terminal = terminal
    self.eventQueue = eventQueue
    self.streams = streams
    self.isColored = isColored
  }

  /// Runs until the user leaves, then writes the output of other observers to the normal screen.
  mutating func run() {
    eventQueue.attention = .prompt
    if let screen = FullScreen(terminal) {
      watch.resize(window)
      while !watch.isOver, !isInputOver {
        show(on: screen)
        wait(screen)
      }
    }
    eventQueue.attention = .statement
    for message in deferred { eventQueue.post(message) }
    if !events.isEmpty { streams.write(EventDigest.text(of: events)) }
  }

  private var window: Window {
    let size = TerminalSize(descriptor: terminal.output)
    return Window(columns: size?.columns ?? 80, rows: size?.rows ?? 24, isColored: isColored)
  }

  /// Draws a frame if one is due, at most thirty times a second.
  private mutating func show(on screen: borrowing FullScreen) {
    guard isTurnDue || isPictureDue, frameDelay == .zero else { return }
    if isTurnDue {
      isTurnDue = false
      takeTurns()
      if events.utf8.count > Self.eventLimit { events = EventDigest.text(of: events) }
    }
    isPictureDue = false
    events += streams.collecting { watch.passTime() }
    screen.write(picture.frame(watch.lines(in: window)))
    lastShown = .now
  }

  /// Runs turns. Ctrl-C stops the blocks of observers that they run, and leaves.
  private mutating func takeTurns() {
    eventQueue.attention = .statement
    events += streams.collecting { watch.takeTurns() }
    eventQueue.attention = .prompt
    if eventQueue.takeStatementInterruption() { watch.leaveInterrupted() }
  }

  /// The size of event output, in bytes, beyond which only its lines are counted.
  private static let eventLimit = 1 << 20

  /// How long to wait until the next frame.
  private var frameDelay: Duration {
    guard let lastShown else { return .zero }
    return max(.zero, PendingTexts.interval - (.now - lastShown))
  }

  /// Waits for a key, a message, or the time at which the picture changes without either.
  private mutating func wait(_ screen: borrowing FullScreen) {
    watch.rest()
    var sources = [
      pollfd(fd: eventQueue.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch.input ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&sources, nfds_t(sources.count), timeout)
    if count == 0 { isPictureDue = true }
    if sources[2].revents != 0 || watch.inputDeadline.map({ $0 <= .now }) ?? false { takeInput() }
    guard count > 0 else { return }
    if sources[0].revents != 0 { for message in eventQueue.take() { handle(message, screen) } }
    if sources[1].revents != 0 { readKeys() }
  }

  /// Adds the lines that have come, whose rows the next frame shows.
  private mutating func takeInput() {
    events += streams.collecting { watch.takeInput() }
    isTurnDue = true
  }

  /// The time to wait in milliseconds; -1 for no limit.
  private var timeout: Int32 {
    let picture =
      isTurnDue || isPictureDue ? frameDelay : watch.patience.map { max($0, frameDelay) }
    let input = watch.inputDeadline.map { max(.zero, $0 - .now) }
    guard let wait = [picture, input].compactMap(\.self).min() else { return -1 }
    return Int32(clamping: Int64(wait / .milliseconds(1)) + 1)
  }

  private mutating func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal.input, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      isInputOver = true
      return
    }
    keys.append(bytes[..<count])
    wake()
    while let key = keys.next() { watch.press(key) }
    isPictureDue = true
  }

  private mutating func handle(
    _ message: TerminalEventQueue.Message, _ screen: borrowing FullScreen
  ) {
    switch message {
    case .turn: isTurnDue = true
    case .text(let text): events += text
    case .interrupt: watch.press(.leave)
    case .terminate:
      deferred.append(message)
      watch.interrupt()
    case .suspend:
      screen.suspend()
      redraw()
    case .resume:
      screen.begin()
      redraw()
    case .resize:
      // The prompt needs the new size too.
      deferred.append(message)
      redraw()
    }
  }

  /// Moves to the newest version, if the session rested, before keys and sizes are handled.
  private mutating func wake() { if watch.hasRested { takeTurns() } }

  private mutating func redraw() {
    wake()
    watch.resize(window)
    picture.forget()
    isPictureDue = true
  }
}
