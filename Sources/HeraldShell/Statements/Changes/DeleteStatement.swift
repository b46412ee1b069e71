import Herald

/// `delete $max`, `delete Dog where age > 20`.
struct DeleteStatement: StatementForm {
  static let command = Command(
    "delete", ["delete OBJECT", "delete QUERY"], "delete an object, or all that match a query",
    [
      "Links to a deleted object become nil, and the object is removed from every list and set, "
        + "including those in a value of type any; in a map the value of its key becomes nil. A "
        + "prompt asks before more than 1,000 objects are deleted."
    ],
    examples: ["delete $max", "delete Dog where age > 20"], inWrites: true,
    parse: { parser throws(ShellError) in Self(query: try parser.query(mayBePast: false)) })

  let query: QuerySyntax

  func run(in context: Context) throws {
    guard try isDeletionWanted(context) else { return context.confirm { "nothing was deleted" } }
    let count = try context.change { store in
      let objects = try context.objects(query)
      try store.delete(objects) { try context.checkInterruption(query.span) }
      return objects.count
    }
    context.confirm(.deleted, count) { ChangeSummary.text(.deleted, count) }
  }

  private func isDeletionWanted(_ context: Context) throws -> Bool {
    guard context.shell.options.confirms != nil,
      case .results(let results) = try context.resolve(query)
    else { return true }
    return try context.isDeletionWanted(results) { "Delete \($0) objects? y/N " }
  }
}
