import Herald

/// `move $p.dogs[2] to 0`.
struct MoveStatement: StatementForm {
  static let command = Command(
    "move", ["move LIST[ROW] to ROW"],
    "move a row of a list to the position that it has "
      + "afterwards",
    examples: ["move $p.dogs[2] to 0"], inWrites: true, parse: Self.init)

  let path: PathSyntax
  let index: ExpressionSyntax

  init(_ parser: inout StatementParser) throws(ShellError) {
    path = try parser.target("an element of a list")
    try parser.take("to")
    index = try parser.expression()
  }

  func run(in context: Context) throws {
    try context.changeUnlessNew(path) {
      guard let element = try AssignmentTarget.at(path, context).element(context),
        case .row(let row) = element.step
      else { throw context.expected("an element of a list", at: path.span) }
      let list = element.collection
      try path.check(list, .list, "a list", context)
      let end = try context.row(index)
      let isInside = row >= 0 && row < list.count
      try context.at(isInside ? index.span : element.span) { try list.move(from: row, to: end) }
    }
    context.confirm(.changed, 1) { "moved 1" }
  }
}
