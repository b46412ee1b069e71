extension Tour {
  /// What an observer may do, who else writes, and the end.
  static let answering = [
    Step(
      title: "Blocks",
      text: "An observer may have a block of statements, which runs when it is told.",
      moments: [
        Moment(
          """
          invalidate all
          observe Dog as pack do { print "now", $rows.@count, "dogs; new:", $insertions }
          add Dog { id: 5, name: "Pip", age: 0 }
          """,
          "The block sees the rows of just the version that it is told of, in $rows; what has "
            + "changed stands in $deletions, $insertions and $modifications.")
      ]),
    Step(
      title: "Answering a change",
      text: "A block may write. What it changes is told like everything else.",
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
          "Max is one year old; the block made a puppy of him, and that was told in turn. An async "
            + "write waits until all are told, so that it never stands inside another one.")
      ]),
    Step(
      title: "Other sessions",
      text: "Each session is a thread with its own view of the store. What others commit is told "
        + "like what this one commits, and so is what other processes do to a store in a file.",
      moments: [
        Moment(
          """
          invalidate all
          observe Dog as dogs
          @bg set Dog#2.age = 4
          """,
          "The session 'bg' was made for this statement. It wrote, and 'main' was told.")
      ]),
    Step(
      title: "A view that stays",
      text: "A session reads one version of the store, and goes on to the newest one after each "
        + "statement, unless it is told not to.",
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
          "Both commits are told as one set of changes, from the rows that were known to those that "
            + "there are. Max was row 0, and Rex came from row 1 into his place."),
      ]),
    Step(
      title: "To stop listening",
      text: "An observer lives until it is invalidated, or what it observes is gone.",
      moments: [
        Moment(
          """
          autorefresh on
          observe Dog#2 as rex
          tokens
          """,
          "These are alive."),
        Moment(
          """
          invalidate dogs
          delete Dog#2
          tokens
          """,
          "'dogs' heard nothing more. 'rex' heard that its dog is gone, and ended with it: no "
            + "observer is left."),
      ]),
  ]

  static let farewell =
    "That was the tour. 'help' lists the commands, 'help observe' tells what can be observed. The "
    + "examples that come with the sources show each of these things in a script of its own."
}
