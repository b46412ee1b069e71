extension Tour {
  /// What can be observed, and how it is told.
  static let listening = [
    Step(
      title: "Objects",
      text: "Herald keeps objects and tells you what changes. This store is the tour's own, in "
        + "memory; yours stays as it is.",
      moments: [
        Moment(
          """
          class Dog { id: int primary; name: string; age: int; toy: string = "" }
          add Dog { id: 1, name: "Max", age: 3, toy: "Ball" } as $max
          add Dog [ { id: 2, name: "Rex", age: 7 }, { id: 3, name: "Ada", age: 9 } ]
          show Dog
          """,
          "A class says what its objects have in common. $max is a name for one of them; Dog#2 is "
            + "the one whose primary key is 2."),
        Moment(
          "count Dog where age > 5 and name beginswith \"A\"",
          "A question is a class with a condition. It can be shown, counted, kept by let, changed "
            + "or deleted as a whole, and it can be watched."),
      ]),
    Step(
      title: "A listener of the store",
      text: "The simplest observer hears that something was committed, and nothing else.",
      moments: [
        Moment(
          """
          observe store as s
          set $max.age = 4
          """,
          "'s' is the observer's token, by which it is named from now on. Whatever changes, it is "
            + "told 'changed', once for each transaction."),
        Moment(
          "write { set $max.age = 5; delete Dog#3; add Dog { id: 4, name: \"Zoe\", age: 8 } }",
          "What stands in one write happens together or not at all, and is told as one."),
        Moment("invalidate s", "From here on it hears nothing."),
      ]),
    Step(
      title: "A listener of a collection",
      text: "It hears first how many rows there are, and then, in places of rows, which were "
        + "deleted, inserted and modified.",
      moments: [
        Moment(
          "observe Dog where age > 5 sort(name) as dogs",
          "Rex and Zoe are older than five: rows 0 and 1, by name."),
        Moment(
          "set Dog#2.toy = \"Rope\"",
          "Rex has a toy now: his row was modified."),
        Moment(
          "$max.age += 1",
          "Max is six now and has come in as row 0. Nothing else is told: Rex and Zoe are one row "
            + "further down, but nobody has changed them."),
      ]),
    Step(
      title: "Many changes at once",
      text: "The rows are Max, Rex and Zoe. One write, one set of changes.",
      moments: [
        Moment(
          "write { set Dog#2.name = \"Bo\"; set $max.age = 7; delete Dog#4 }",
          "Deletions tell places in the old rows: Zoe was row 2. Rex has another name and with it "
            + "another place: he goes as row 1 and comes as row 0, insertions being places in the "
            + "new rows. Max, who has changed, was row 0 and is row 1."),
        Moment(
          "show Dog where age > 5 sort(name)",
          "Whoever takes away the deleted rows, puts in the inserted ones and looks again at the "
            + "modified ones, in this order, has these."),
      ]),
    Step(
      title: "A listener of an object",
      text: "It hears which properties have changed, with their old and new values.",
      moments: [
        Moment(
          """
          observe $max as max
          set $max.name = "Wolfie"
          """,
          "One commit, told to each observer in its own words: to 'max' as a property, to 'dogs' as "
            + "a row. Nothing was told when 'max' began: an object has no first call."),
        Moment(
          "write { set $max.name = \"W\"; set $max.age = 8; set $max.name = \"Wolfie\" }",
          "Only what differs in the end counts. The name is as it was, so the age alone is told."),
      ]),
  ]
}
