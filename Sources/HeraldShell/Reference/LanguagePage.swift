/// The manual page herald-language(7), in mdoc(7): the commands from the one description of them.
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
    .Nd what is typed at the prompt of herald and said in its scripts
    .Sh DESCRIPTION
    One language serves the prompt, scripts, pipes and the option
    .Fl c
    of
    .Xr herald 1 .
    """

  private static let form = """
    .Ss Statements
    A statement ends at a newline or a semicolon; a newline inside brackets does not end it.
    A number sign at the start of a line or after a blank begins a comment.
    Words are in lower case; those of predicates may be in either.
    .Pp
    After each statement at the top the turn of its session ends: its observers are told what they
    are owed, then those of every other session, in order of creation, until nothing is left.
    A statement that changes something and stands in no
    .Ic write
    is a transaction of its own.
    """

  private static let names = """
    .Ss Names and literals
    .Bl -tag -width Ds
    .It Li $name
    A variable: an object, a live collection or a value.
    All sessions share it; an object is looked up in the one that uses it.
    .It Li Dog#3
    An object by its primary key,
    .Ql City#\\(dqRome\\(dq ,
    .Ql Row#uuid(\\(dq...\\(dq) ,
    or by the number of its making where its class has no primary key.
    A path may follow:
    .Ql Dog#3.owner.name .
    .It Li \\(dqtext\\(dq
    A string, in double or single quotes, with the escapes of JSON.
    .It Li 3  2.5  true  nil  inf  nan
    Numbers, truth and nothing.
    .It Li 2026-11-21@10:30:00
    A date, in UTC.
    .It Li binary(\\(dqAQI=\\(dq)  B64\\(dqAQI=\\(dq  uuid(\\(dq...\\(dq)  oid(\\(dq...\\(dq)
    Data in base64, a UUID, an object id;
    .Ql uuid()
    and
    .Ql oid()
    make new ones.
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
    and what follows it:
    .Bl -tag -width Ds
    .It Li where PREDICATE
    Those for which it holds.
    .It Li sort(path asc | desc, ...)
    By these values; where they are equal, the order before stays.
    Nothing comes first upwards and last downwards.
    .It Li distinct(path, ...)
    The first of each that are equal in these values.
    .It Li limit(n)
    The first n.
    .El
    .Pp
    The last three may repeat, and each is applied to what stands before it.
    Without a sort, objects stand in the order of their making, and the rows of a list in its own.
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
      "Strings compare by code point. Values of an any of different types stand in the order nil, "
        + "bool, number, string, data, date, object id, uuid, link.")
    return lines.joined(separator: "\n")
  }
}

// MARK: What is told

extension LanguagePage {
  private static let events = """
    .Sh EVENTS
    Each line begins with the observer's name, and that of its session before a slash where it is
    not
    .Ql main .
    .Bl -tag -width Ds
    .It Li dogs: initial 3 rows
    A collection, once, before anything else.
    .It Li dogs: deletions [1]
    Rows that went, by their old places.
    .It Li dogs: insertions [0, 4]
    Rows that came, by their new places.
    .It Li dogs: modifications [2->1, 5]
    Rows that were modified: old and new place, one number where they are equal.
    A map tells keys instead of places.
    .It Li dogs: owner deleted
    The object whose collection it was is gone; nothing more will be told.
    .It Li max: change name \\(dqMax\\(dq -> \\(dqWolfie\\(dq
    A property of an object; a collection is told by its name alone.
    .It Li max: deleted
    The object is gone; nothing more will be told.
    .It Li s: changed
    Something was committed.
    .It Li s: refresh required
    Others have committed, and this session does not advance by itself.
    .It Li k: name \\(dqMax\\(dq -> \\(dqWolfie\\(dq
    A property observer, at once when the property is assigned.
    .It Li k: dogs insertion [0]
    A property observer of a list: insertion, removal, replacement or setting.
    .El
    .Pp
    To follow a collection: take the deleted rows away from the highest down, put the inserted ones
    in from the lowest up, and look at the modified ones again.
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
    have the objects too: an initial event
    .Ql rows ,
    an update
    .Ql inserted
    and
    .Ql modified ,
    in the order of
    .Ql insertions
    and
    .Ql modificationsNew .
    .Pp
    The five arrays of an update are always there.
    .Ql moves
    pairs the deleted and the inserted place of each row that only moved.
    .Ql ownerDeleted
    is there where it is true.
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
    Keys are never renamed; new ones may come.
    """

  private static let expectations = """
    .Sh EXPECTATIONS
    A script checks with
    .Ic expect
    what it was told, and so is a test.
    Each event of an observer waits until an expectation has accounted for it;
    .Ic expect nothing
    fails while one waits.
    """

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr herald 1 ,
    .Xr herald-store 5
    """
}
