import HeraldModel

/// Names whose answers are noted.
struct NotedNames: QueryNames {
  private let names: any QueryNames
  private let notes: BindingNotes

  init(_ names: any QueryNames, _ notes: BindingNotes) {
    self.names = names
    self.notes = notes
  }

  func variable(_ name: String) -> QueryOperand? {
    let answer = names.variable(name)
    notes.answers.variables[name] = answer
    return answer
  }

  var variableNames: [String] { names.variableNames }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    try names.object(className, key: key)
  }

  func propertyName(_ name: String, of className: String) -> String? {
    let answer = names.propertyName(name, of: className)
    if let answer { notes.answers.properties[[className, name]] = answer }
    return answer
  }

  func projection(_ name: String) -> ProjectionDefinition? {
    let answer = names.projection(name)
    if let answer { notes.answers.projections[name] = answer }
    return answer
  }

  func collection(_ name: String) -> (owner: ObjectID, property: String)? {
    let answer = names.collection(name)
    if let answer { notes.answers.collections[name] = answer }
    return answer
  }

  func rows(_ name: String) -> VariableRows? {
    let answer = names.rows(name)
    if let answer { notes.answers.rows[name] = answer }
    return answer
  }

  func rowCount(of name: String) -> Int? { names.rowCount(of: name) }

  func row(_ index: Int, of name: String) -> ObjectID? { names.row(index, of: name) }

  func isInvalidated(_ name: String) -> Bool? { names.isInvalidated(name) }

  func note(_ remark: String) { names.note(remark) }

  func value(of generated: GeneratedValue) -> Value? {
    let answer = names.value(of: generated) ?? (generated == .now ? .date(.now) : nil)
    if let answer { notes.answers.generated[generated] = answer }
    return answer
  }

  func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand? {
    names.value(of: expression, from: name)
  }

  func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand? {
    let answer = names.value(of: expression, at: version)
    notes.answers.atVersions["\(expression) at \(version.syntax)"] = answer
    return answer
  }
}
