/// The parts of a query in another language, in the words that stand for them here.
struct TranslatedQuery {
  /// `Dog`, or a query.
  var origin: String
  var condition: String?
  /// What is shown of each row, with its name where that is another one; empty for all.
  var columns: [(expression: String, name: String?)] = []
  /// By what rows are grouped; nil without groups.
  var groups: [String]?
  /// The condition of groups.
  var having: String?
  var sort: [String] = []
  var distinct: [String] = []
  var offset: Int?
  var limit: Int?
  /// Whether it is a statement that shows rows, rather than only names them.
  var isShown = false

  /// Adds a condition to those that there are.
  mutating func add(condition added: String) {
    condition = condition.map { "\($0) and \(added)" } ?? added
  }

  /// The statement that shows it.
  var statement: String {
    guard let groups else {
      if columns.count == 1, columns[0].expression == "@count", distinct.isEmpty {
        return "count \(members)"
      }
      let shown = columns.isEmpty ? "" : " { \(list(columns)) }"
      return "\(columns.isEmpty && !isShown ? "" : "show ")\(members)\(clauses)\(shown)"
    }
    let aggregates = columns.filter { !groups.contains($0.expression) }
    let named = aggregates.map { "\($0.name ?? Self.name(of: $0.expression)): \($0.expression)" }
    let by = groups.isEmpty ? "" : " by \(groups.joined(separator: ", "))"
    let braces = named.isEmpty ? "n: @count" : named.joined(separator: ", ")
    let filter = having.map { " where \($0)" } ?? ""
    return "group \(members)\(by) { \(braces) }\(filter)\(clauses)"
  }

  /// The rows, unordered.
  var members: String { origin + (condition.map { " where \($0)" } ?? "") }

  /// The rows in their order.
  var rows: String { members + clauses }

  private var clauses: String {
    var clauses = ""
    if !distinct.isEmpty { clauses += " distinct(\(distinct.joined(separator: ", ")))" }
    if !sort.isEmpty { clauses += " sort(\(sort.joined(separator: ", ")))" }
    if let offset { clauses += " offset(\(offset))" }
    if let limit { clauses += " limit(\(limit))" }
    return clauses
  }

  private func list(_ columns: [(expression: String, name: String?)]) -> String {
    columns.map { $0.expression + ($0.name.map { " as \($0)" } ?? "") }.joined(separator: ", ")
  }

  /// The name of an aggregate without one: `n` of the number, else of what it is: `sum_amount`.
  static func name(of aggregate: String) -> String {
    if aggregate == "@count" { return "n" }
    return aggregate.filter { $0 != "@" }.replacing(".", with: "_")
  }
}
