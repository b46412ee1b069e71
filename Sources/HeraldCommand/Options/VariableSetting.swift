import ArgumentParser
import HeraldShell

/// One `--set`: a variable and its value.
struct VariableSetting: Equatable, Sendable {
  let name: String
  let value: String

  init(_ argument: String) throws {
    guard let sign = argument.firstIndex(of: "=") else {
      throw ValidationError("'=' is missing: use name=value")
    }
    name = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
    guard Interpreter.isVariableName(name) else {
      throw ValidationError("'\(name)' is not a valid variable name")
    }
  }
}
