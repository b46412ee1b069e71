import HeraldShell
import Testing

@testable import HeraldCommand

private func keys(_ pieces: [String]) -> [Watch.Key] {
  var keys = WatchKeys()
  var found: [Watch.Key] = []
  for piece in pieces {
    keys.append(piece.utf8)
    while let key = keys.next() { found.append(key) }
  }
  return found
}

@Suite struct WatchKeysTests {
  @Test func `keys of a watched table are letters and sequences`() {
    #expect(
      keys(["jk", "\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~"]) == [
        .down, .up, .up, .down, .pageUp, .pageDown,
      ])
    #expect(keys(["\u{1B}[H\u{1B}[4~gGq"]) == [.start, .end, .start, .end, .leave])
  }

  @Test func `a sequence may come in pieces, and unknown ones are ignored`() {
    #expect(keys(["\u{1B}", "[", "6", "~"]) == [.pageDown])
    #expect(keys(["\u{1B}[1;5Cx\u{1B}[15~", "j"]) == [.down])
    #expect(keys(["\u{1B}q"]) == [.leave])
  }

  @Test func `a frame holds the lines that differ`() {
    var picture = ScreenPicture()
    let begin = "\u{1B}[?2026h"
    let end = "\u{1B}[?2026l"
    #expect(
      picture.frame(["a", "b"]) == begin
        + "\u{1B}[H\u{1B}[2J\u{1B}[1;1Ha\u{1B}[K\u{1B}[2;1Hb\u{1B}[K" + end)
    #expect(picture.frame(["a", "b"]) == "")
    #expect(picture.frame(["a", "c"]) == begin + "\u{1B}[2;1Hc\u{1B}[K" + end)
    #expect(picture.frame(["a"]) == begin + "\u{1B}[2;1H\u{1B}[J" + end)
  }
}
