extension Tour {
  /// Steps about blocks of observers, other writers and the end of an observer.
  static let reacting = [
    Step(
      title: "Blocks",
      text: "An observer may have a block of statements, which runs with each event.",
      moments: [
        Moment(
          """
          invalidate all
          observe Dog as pack do { print "now", $rows.@count, "dogs; new:", $insertions }
          add Dog { id: 5, name: "Pip", age: 0 }
          """,
          "The block sees the rows at exactly the version of the event, in $rows, and the changed "
            + "rows in $deletions, $insertions and $modifications.")
      ]),
    Step(
      title: "Reacting to a change",
      text: "A block may write. Its changes are delivered like all others.",
      moments: [
        Moment(
          """
          invalidate all
          alter Dog { add puppy: bool = false }
          observe $max as max keypaths age do {
            write async { if $max.age < 2 { set $max.puppy = true } }
          }
          observe Dog where puppy == true as puppies
          set $max.age = 1
          """,
          "Max is one year old; the block made a puppy of him, and that was delivered in turn. An "
            + "async write waits until all observers are notified, so that it is never nested in "
            + "another one.")
      ]),
    Step(
      title: "Other sessions",
      text: "Each session is a thread with its own view of the store. Commits of other sessions "
        + "are delivered like those of this one, and so are those of other processes to a store in "
        + "a file.",
      moments: [
        Moment(
          """
          invalidate all
          observe Dog as dogs
          @bg set Dog#2.age = 4
          """,
          "The session 'bg' was made for this statement. It wrote, and 'main' was notified.")
      ]),
    Step(
      title: "A stable view",
      text: "A session reads one version of the store, and advances to the newest one after each "
        + "statement, unless autorefresh is off.",
      moments: [
        Moment(
          """
          autorefresh off
          @bg set Dog#2.age = 5
          @bg delete Dog#1
          count Dog
          """,
          "'bg' has two dogs; here there are still three."),
        Moment(
          """
          refresh
          count Dog
          """,
          "Both commits are delivered as one change set, from the rows known before to the present "
            + "ones. Max was row 0, and Rex moved from row 1 to row 0."),
      ]),
    Step(
      title: "Stopping an observer",
      text: "An observer lives until it is invalidated, or the object that it observes is deleted.",
      moments: [
        Moment(
          """
          autorefresh on
          observe Dog#2 as rex
          tokens
          """,
          "These observers are alive."),
        Moment(
          """
          invalidate dogs
          delete Dog#2
          tokens
          """,
          "'dogs' received nothing more. 'rex' was notified that its dog was deleted, and ended "
            + "with it: no observer is left."),
      ]),
  ]

  static let farewell =
    "That was the tour. 'help' lists the commands, 'help observe' shows what can be observed. The "
    + "examples that come with the sources show each of these features in a script of its own."
}
