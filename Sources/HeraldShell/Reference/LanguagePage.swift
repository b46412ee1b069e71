/// The manual page herald-language(7), in mdoc(7), with the commands from `CommandReference`. Tests and
/// transcripts cite its numbered sections (`language 2`).
package enum LanguagePage {
  /// The whole page as the file `man/herald-language.7` holds it.
  package static var text: String {
    let sections = [
      head, form, names, commands, results, events, programs, errors, expectations, queries,
      predicates, seeAlso,
    ]
    return sections.map { $0 + "\n" }.joined()
  }

  private static let head = """
    .\\" Made from the description of the commands; a test keeps the two equal.
    .Dd November 21, 2026
    .Dt HERALD-LANGUAGE 7
    .Os
    .Sh NAME
    .Nm herald-language
    .Nd the language of herald's prompt and scripts
    .Sh DESCRIPTION
    One language serves the prompt, scripts, pipes and the option
    .Fl c
    of
    .Xr herald 1 .
    Its predicates follow the Realm Query Language.
    """

  private static let form = """
    .Sh 1. TEXT
    .Ss Statements
    A statement ends at a newline or a semicolon; a newline inside brackets does not end it.
    The statements in the braces of a block follow the same rule.
    A number sign at the start of a line or after white space begins a comment, also in
    .Ql #! .
    Keywords are in lower case; those of predicates may be in either case.
    A script is read and run statement by statement.
    .Pp
    After each top-level statement the turn of its session ends: pending notifications are delivered to
    its observers, then to those of every other session, in order of creation, until none is pending.
    The output of a script is therefore the same each time.
    A statement that changes something outside of
    .Ic write
    is a transaction of its own.
    """

  private static let names = """
    .Ss Names and literals
    .Bl -tag -width Ds
    .It Li name
    A name of a class, a property, a token or a session: letters of any script, digits and
    underscores, without a digit at the start.
    .It Li $name
    A variable: an object, a live collection or a value.
    All sessions share it; an object is resolved in the session that uses it, and it is an error if the
    object does not exist there.
    .It Li Dog#3
    An object by its primary key,
    .Ql City#\\(dqRome\\(dq ,
    .Ql Row#uuid(\\(dq...\\(dq)
    or
    .Ql Row#oid(\\(dq...\\(dq) ,
    or by its object number if its class has no primary key.
    It may be used wherever an object may, and a path may follow:
    .Ql Dog#3.owner.name .
    An object that does not exist is an error that names it.
    .It Li \\(dqtext\\(dq
    A string, in double or single quotes, with the escapes of JSON.
    .It Li 3  2.5  true  nil  inf  nan
    Numbers, Booleans and nil.
    .It Li 2026-11-21  2026-11-21 10:30  2026-11-21T10:30:00.5Z
    A date, in UTC unless a zone such as
    .Ql +02:00
    follows, at midnight without a time; also in quotes where a date is expected.
    Month and day have two digits.
    .Ql 2026-11-21@10:30:00
    is the form in which dates are printed.
    .It Li inTransaction
    A Boolean: whether the session is in a transaction.
    .It Li binary(\\(dqAQI=\\(dq)  B64\\(dqAQI=\\(dq  uuid(\\(dq...\\(dq)  oid(\\(dq...\\(dq)
    Data in base64, a UUID, an object id;
    .Ql uuid()
    and
    .Ql oid()
    generate new ones.
    .It Li [a, b]  {key: value}
    A list or a set, and an object or a map, with commas or newlines between entries.
    Keys may be bare or in quotes.
    .El
    """

  private static var commands: String {
    ".Sh 2. COMMANDS\n"
      + Mdoc.commands { command in
        let details = command.details.flatMap { [".Pp"] + Mdoc.filled($0) }
        let examples = command.examples.isEmpty ? [] : Mdoc.literal(command.examples)
        return Mdoc.summary(of: command) + details + examples
      }
  }

  private static let queries = """
    .Sh 5. QUERIES
    .Ss Clauses
    A query is a class, or a collection such as
    .Ql $p.dogs ,
    followed by:
    .Bl -tag -width Ds
    .It Li where PREDICATE
    The rows that match.
    .It Li sort(path asc | desc, ...)
    The rows ordered by these values; the sort is stable.
    nil comes first ascending and last descending; beyond a link that is nil every value is nil.
    .It Li distinct(path, ...)
    The first of each group of rows that are equal in these values, nil being a value like others.
    .It Li limit(n)
    The first n rows.
    .It Li offset(n)
    All rows but the first n.
    .El
    .Pp
    The last four may repeat, and each is applied to the result of those before it.
    Without a sort, objects are in order of creation, and the rows of a list in the order of the list.
    The elements of a collection of values are named
    .Ql self :
    .Ql $p.tags where self BEGINSWITH \\(dqx\\(dq sort(self desc) .
    """

  private static var predicates: String {
    var lines = [
      ".Ss Predicates", "The examples are about the dogs of these classes:",
    ]
    lines += Mdoc.literal(PredicateReference.classes.split(separator: "\n").map(String.init))
    lines.append(".Bl -tag -width Ds")
    for form in PredicateReference.forms {
      lines.append(".It Li " + Mdoc.quoted(form.example))
      lines += Mdoc.filled(form.meaning)
    }
    lines += [".El", ".Pp"]
    lines += Mdoc.filled(
      "Strings have the escapes of JSON and compare by code point. Two lists compare in order, "
        + "element by element, without ANY, ALL or NONE. Values of different types in a property of "
        + "type any sort in the order nil, bool, number, string, data, date, object id, uuid, link. "
        + "An unknown property, types that cannot be compared and a misplaced word are errors at the "
        + "position of the word.")
    return lines.joined(separator: "\n")
  }

  private static let expectations = """
    .Sh 4. EXPECTATIONS
    A script can check the events that it receives with
    .Ic expect ,
    and so be a test.
    Each event of an observer is pending until an expectation has accounted for it;
    .Ic expect nothing
    fails while one is pending.
    """

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr herald 1 ,
    .Xr herald-store 5
    """
}
