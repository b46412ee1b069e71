import HeraldEngine

/// A registration of `onCommitElsewhere`, which ends when nothing holds the listener.
package final class CommitListener: Sendable {
  private let listening: CommitSubscription

  init(_ listening: CommitSubscription) { self.listening = listening }
}
