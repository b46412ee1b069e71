/// The manual page herald-language(7), in mdoc(7), with the commands from `CommandReference`.
package enum LanguagePage {
  /// The whole page as the file `man/herald-language.7` holds it.
  package static var text: String {
    let sections = [
      head, form, names, commands, queries, predicates, events, programs, expectations, seeAlso,
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
    """

  private static let form = """
    .Ss Statements
    A statement ends at a newline or a semicolon; a newline inside brackets does not end it.
    A number sign at the start of a line or after white space begins a comment.
    Keywords are in lower case; those of predicates may be in either case.
    .Pp
    After each top-level statement the turn of its session ends: pending notifications are delivered to
    its observers, then to those of every other session, in order of creation, until none is pending.
    A statement that changes something outside of
    .Ic write
    is a transaction of its own.
    """

  private static let names = """
    .Ss Names and literals
    .Bl -tag -width Ds
    .It Li $name
    A variable: an object, a live collection or a value.
    All sessions share it; an object is resolved in the session that uses it.
    .It Li Dog#3
    An object by its primary key,
    .Ql City#\\(dqRome\\(dq ,
    .Ql Row#uuid(\\(dq...\\(dq) ,
    or by its object number if its class has no primary key.
    A path may follow:
    .Ql Dog#3.owner.name .
    .It Li \\(dqtext\\(dq
    A string, in double or single quotes, with the escapes of JSON.
    .It Li 3  2.5  true  nil  inf  nan
    Numbers, Booleans and nil.
    .It Li 2026-11-21@10:30:00
    A date, in UTC.
    .It Li binary(\\(dqAQI=\\(dq)  B64\\(dqAQI=\\(dq  uuid(\\(dq...\\(dq)  oid(\\(dq...\\(dq)
    Data in base64, a UUID, an object id;
    .Ql uuid()
    and
    .Ql oid()
    generate new ones.
    .It Li [a, b]  {key: value}
    A list or a set, and an object or a map, with commas or newlines between entries.
    .El
    """

  private static var commands: String {
    ".Sh COMMANDS\n"
      + Mdoc.commands { command in
        let details = command.details.flatMap { [".Pp"] + Mdoc.filled($0) }
        let examples = command.examples.isEmpty ? [] : Mdoc.literal(command.examples)
        return Mdoc.summary(of: command) + details + examples
      }
  }

  private static let queries = """
    .Sh QUERIES
    A query is a class, or a collection such as
    .Ql $p.dogs ,
    followed by:
    .Bl -tag -width Ds
    .It Li where PREDICATE
    The rows that match.
    .It Li sort(path asc | desc, ...)
    The rows ordered by these values; the sort is stable.
    nil comes first ascending and last descending.
    .It Li distinct(path, ...)
    The first of each group of rows that are equal in these values.
    .It Li limit(n)
    The first n rows.
    .El
    .Pp
    The last three may repeat, and each is applied to the result of those before it.
    Without a sort, objects are in order of creation, and the rows of a list in the order of the list.
    """

  private static var predicates: String {
    var lines = [
      ".Sh PREDICATES", "The examples are about the dogs of these classes:",
    ]
    lines += Mdoc.literal(PredicateReference.classes.split(separator: "\n").map(String.init))
    lines.append(".Bl -tag -width Ds")
    for form in PredicateReference.forms {
      lines.append(".It Li " + Mdoc.quoted(form.example))
      lines += Mdoc.filled(form.meaning)
    }
    lines += [".El", ".Pp"]
    lines += Mdoc.filled(
      "Strings compare by code point. Values of different types in a property of type any sort in "
        + "the order nil, bool, number, string, data, date, object id, uuid, link.")
    return lines.joined(separator: "\n")
  }
}

// MARK: Events

extension LanguagePage {
  private static let events = """
    .Sh EVENTS
    Each line begins with the name of the token, preceded by that of its session and a slash if it is
    not
    .Ql main .
    .Bl -tag -width Ds
    .It Li dogs: initial 3 rows
    The first event of a collection.
    .It Li dogs: deletions [1]
    Rows that were deleted, by their old positions.
    .It Li dogs: insertions [0, 4]
    Rows that were inserted, by their new positions.
    .It Li dogs: modifications [2->1, 5]
    Rows that were modified: old and new position, one number if they are equal.
    A map reports keys instead of positions.
    .It Li dogs: owner deleted
    The object that owned the collection was deleted; this is the last event.
    .It Li max: change name \\(dqMax\\(dq -> \\(dqWolfie\\(dq
    A property of an object; of a collection only the name is reported.
    .It Li max: deleted
    The object was deleted; this is the last event.
    .It Li s: changed
    A transaction was committed.
    .It Li s: refresh required
    Others have committed, and this session does not advance by itself.
    .It Li k: name \\(dqMax\\(dq -> \\(dqWolfie\\(dq
    An event of a property observer, at once when the property is assigned.
    .It Li k: dogs insertion [0]
    An event of a property observer of a list: insertion, removal, replacement or setting.
    .El
    .Pp
    To follow a collection: remove the deleted rows from the highest down, insert the new ones from the
    lowest up, and refresh the modified ones.
    The result is the new collection.
    """

  private static let programs = """
    .Sh OUTPUT FOR PROGRAMS
    With
    .Fl -json
    or after
    .Ic mode json
    everything is one JSON object a line:
    .Bd -literal -offset indent
    {"event":"initial","token":"dogs","session":"main","count":3}
    {"event":"update","token":"dogs","session":"main","deletions":[1],
      "insertions":[0,4],"modifications":[2,5],"modificationsNew":[1,5],"moves":[]}
    {"event":"change","token":"max","session":"main",
      "properties":[{"name":"name","old":"Max","new":"Wolfie"}]}
    {"event":"deleted","token":"max","session":"main"}
    {"event":"changed","token":"s","session":"main"}
    {"event":"refreshRequired","token":"s","session":"main"}
    {"event":"property","token":"k","session":"main","name":"name",
      "old":"Max","new":"Wolfie"}
    {"result":[{"class":"Dog","key":3,"properties":{"name":"Max"}}]}
    {"result":{"ok":true,"problems":[]}}
    .Ed
    .Pp
    The events of
    .Ic follow
    also contain the objects: an initial event has
    .Ql rows ,
    an update has
    .Ql inserted
    and
    .Ql modified ,
    in the order of
    .Ql insertions
    and
    .Ql modificationsNew .
    .Pp
    The five arrays of an update are always present.
    .Ql moves
    pairs the deleted and the inserted position of each row that only moved.
    .Ql ownerDeleted
    is present only if it is true.
    A link is an object with
    .Ql class
    and
    .Ql key ;
    dates are ISO 8601 in UTC, data is base64, and decimals, UUIDs and object ids are strings.
    An error is an object
    .Ql error
    with
    .Ql message ,
    .Ql file ,
    .Ql line
    and
    .Ql column
    on standard error.
    Keys are never renamed; new ones may be added.
    """

  private static let expectations = """
    .Sh EXPECTATIONS
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
