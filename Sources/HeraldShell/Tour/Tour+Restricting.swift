extension Tour {
  /// Steps about changes that an observer excludes, and the depth to which it observes.
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
          "The name is not, so there is no event. 'why' explains why the last commit did, or did "
            + "not, reach an observer."),
        Moment(
          """
          observe Dog where age > 5 as dogs keypaths toy
          write { set Dog#2.name = "Rex"; set Dog#2.age = 3 }
          """,
          "Key paths restrict only modifications. Inserted and deleted rows are always reported."),
      ]),
    Step(
      title: "Writing silently",
      text: "The code that makes a change often knows of it already, like a table whose row was "
        + "dragged. A write may exclude observers.",
      moments: [
        Moment(
          """
          write without toys { set $max.toy = "Bone" }
          why toys
          """,
          "'dogs' is notified of the bone; 'toys' is not, and will not be later."),
        Moment("set $max.toy = \"Ball\"", "Other writes notify it as before."),
      ]),
    Step(
      title: "Nested changes",
      text: "A property may lead to other objects. An observer of a collection is also notified of "
        + "changes in objects that its rows link to, up to four links away.",
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
      title: "The depth of key paths",
      text: "Named properties are observed at any distance; then other properties of linked "
        + "objects are not.",
      moments: [
        Moment(
          """
          observe Box where n == 1 as deep keypaths inside.inside.inside.inside.inside.label
          set Box#6.label = "silver"
          """,
          "'deep' is notified of a change that is too deep for 'boxes'."),
        Moment(
          """
          observe Box#1 as first
          observe Box#2 as second keypaths inside.label
          set Box#3.label = "tin"
          """,
          "An observer of an object is notified of its own properties, and of properties of linked "
            + "objects only where a key path names them. 'inside' leads to box 3, so it is the "
            + "property of box 2 that is reported."),
      ]),
  ]
}
