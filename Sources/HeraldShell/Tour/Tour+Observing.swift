extension Tour {
  /// Steps about everything that can be observed, and about the kinds of events.
  static let observing = [
    Step(
      title: "Objects",
      text: "Herald stores objects and notifies you of changes. This store is the tour's own, in "
        + "memory; yours stays as it is.",
      moments: [
        Moment(
          """
          class Dog { id: int primary; name: string; age: int; toy: string = "" }
          add Dog { id: 1, name: "Max", age: 3, toy: "Ball" } as $max
          add Dog [ { id: 2, name: "Rex", age: 7 }, { id: 3, name: "Ada", age: 9 } ]
          show Dog
          """,
          "A class declares the properties of its objects. $max is a variable for one of them; "
            + "Dog#2 is the one whose primary key is 2."),
        Moment(
          "count Dog where age > 5 and name beginswith \"A\"",
          "A query is a class with a predicate. It can be shown, counted, named by let, changed or "
            + "deleted as a whole, and it can be observed."),
      ]),
    Step(
      title: "An observer of the store",
      text: "The simplest observer is notified that something was committed, and of nothing else.",
      moments: [
        Moment(
          """
          observe store as s
          set $max.age = 4
          """,
          "'s' is the name of the observer's token. Whatever changes, it receives 'changed', once "
            + "for each transaction."),
        Moment(
          "write { set $max.age = 5; delete Dog#3; add Dog { id: 4, name: \"Zoe\", age: 8 } }",
          "The statements of one write take effect together or not at all, and are delivered as "
            + "one."),
        Moment("invalidate s", "From here on it receives nothing."),
      ]),
    Step(
      title: "An observer of a collection",
      text: "It first receives the number of rows, and then the positions of the rows that were "
        + "deleted, inserted and modified.",
      moments: [
        Moment(
          "observe Dog where age > 5 sort(name) as dogs",
          "Rex and Zoe are older than five: rows 0 and 1, by name."),
        Moment("set Dog#2.toy = \"Rope\"", "Rex has a toy now: his row was modified."),
        Moment(
          "$max.age += 1",
          "Max is six now and was inserted as row 0. Nothing else is reported: Rex and Zoe are one "
            + "row further down, but nobody has changed them."),
      ]),
    Step(
      title: "Many changes at once",
      text: "The rows are Max, Rex and Zoe. One write, one change set.",
      moments: [
        Moment(
          "write { set Dog#2.name = \"Bo\"; set $max.age = 7; delete Dog#4 }",
          "Deletions are positions in the old rows: Zoe was row 2. Rex has another name and with "
            + "it another position: he is deleted as row 1 and inserted as row 0, as insertions "
            + "are positions in the new rows. Max, who has changed, was row 0 and is row 1."),
        Moment(
          "show Dog where age > 5 sort(name)",
          "Removing the deleted rows, inserting the new ones and refreshing the modified ones, in "
            + "this order, gives these rows."),
      ]),
    Step(
      title: "An observer of an object",
      text: "It receives the properties that have changed, with their old and new values.",
      moments: [
        Moment(
          """
          observe $max as max
          set $max.name = "Wolfie"
          """,
          "One commit, delivered to 'max' as a property and to 'dogs' as a row. 'max' received "
            + "nothing when it was registered: an observer of an object has no initial event."),
        Moment(
          "write { set $max.name = \"W\"; set $max.age = 8; set $max.name = \"Wolfie\" }",
          "Only the net change counts. The name is what it was before, so only the age is reported."
        ),
      ]),
  ]
}
