package import HeraldModel

/// A function of values that a program brings, and the language has no name for.
package struct ProgramFunction: Sendable, Equatable {
  /// Its name, with whatever it was made of: functions of one name are the same.
  package let name: String
  /// The type of each argument, which may also be any.
  let arguments: [ElementType]
  let result: ElementType
  /// The result for arguments of which none is nil.
  let apply: @Sendable (_ first: Value, _ rest: [Value]) -> Value

  package init(
    _ name: String, _ arguments: [ElementType], _ result: ElementType,
    _ apply: @escaping @Sendable (_ first: Value, _ rest: [Value]) -> Value
  ) {
    self.name = name
    self.arguments = arguments
    self.result = result
    self.apply = apply
  }

  package static func == (a: ProgramFunction, b: ProgramFunction) -> Bool {
    a.name == b.name && a.arguments == b.arguments
  }

  func accepts(_ element: ElementType, at index: Int) -> Bool {
    element == arguments[index] || element.isNumber && arguments[index].isNumber
  }
}

extension ExpressionSyntax {
  /// A call of a function that a program brings.
  package init(_ function: ProgramFunction, _ arguments: [ExpressionSyntax]) {
    let noSpan = SourceSpan(start: 0, end: 0)
    let call = CallSyntax(
      function: Name(text: function.name, span: noSpan), isSuffix: false, arguments: arguments,
      ofProgram: function)
    self.init(.call(call), noSpan)
  }
}
