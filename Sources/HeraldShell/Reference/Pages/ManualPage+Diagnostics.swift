extension ManualPage {
  static let diagnostics = """
    .Sh DIAGNOSTICS
    An error is printed on standard error as
    .Ql file:line:column: error: message ,
    followed by the line and a caret under the position; if there is a similar name, the message suggests it.
    With
    .Fl -json
    it is an object with
    .Ql message ,
    .Ql file ,
    .Ql line
    and
    .Ql column .
    """
}
