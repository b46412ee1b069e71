extension Tour {
  /// What an observer does not want to hear, and how far it hears.
  static let restricting = [
    Step(
      title: "Key paths",
      text: "An observer may name the properties that matter to it.",
      moments: [
        Moment(
          """
          invalidate all
          observe $max as toys keypaths toy, age
          set $max.toy = "Frisbee"
          """,
          "The toy is one of the two."),
        Moment(
          """
          set $max.name = "Maxamillion"
          why toys
          """,
          "The name is not: nothing is told. 'why' says what became of the last commit on its way "
            + "to an observer. Ask it whenever you wonder."),
        Moment(
          """
          observe Dog where age > 5 as dogs keypaths toy
          write { set Dog#2.name = "Rex"; set Dog#2.age = 3 }
          """,
          "Key paths restrict modifications alone. Rows that come and go are always told."),
      ]),
    Step(
      title: "Writing silently",
      text: "Who changes something often knows it already, as a table does whose row was dragged. "
        + "A write may leave observers out.",
      moments: [
        Moment(
          """
          write without toys { set $max.toy = "Bone" }
          why toys
          """,
          "'dogs' hears of the bone; 'toys' does not, and will not later."),
        Moment("set $max.toy = \"Ball\"", "Every other write is told as ever."),
      ]),
    Step(
      title: "Nested changes",
      text: "A property may lead to other objects. An observer of a collection hears also what "
        + "changes behind its rows, up to four links away.",
      moments: [
        Moment(
          """
          invalidate all
          class Box { n: int primary; label: string = ""; inside: Box }
          add Box { n: 1, inside: { n: 2, inside: { n: 3, inside: { n: 4 } } } }
          set Box#4.inside = { n: 5, inside: { n: 6 } }
          observe Box where n == 1 as boxes
          set Box#5.label = "gold"
          """,
          "Box 5 is four links away from box 1, the only row: the row counts as modified."),
        Moment(
          """
          set Box#6.label = "dust"
          why boxes
          """,
          "Five links are too many."),
      ]),
    Step(
      title: "As far as a key path says",
      text: "Named properties are heard of at any distance; the others behind links then are not.",
      moments: [
        Moment(
          """
          observe Box where n == 1 as deep keypaths inside.inside.inside.inside.inside.label
          set Box#6.label = "silver"
          """,
          "'deep' hears what is too deep for 'boxes'."),
        Moment(
          """
          observe Box#1 as first
          observe Box#2 as second keypaths inside.label
          set Box#3.label = "tin"
          """,
          "An observer of an object hears of its own properties, and behind links only what it "
            + "names. 'inside' leads to box 3, so that is the property of box 2 that is told."),
      ]),
  ]
}
