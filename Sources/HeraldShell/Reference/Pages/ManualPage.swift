/// The manual page herald(1), in mdoc(7): the commands from `CommandReference`, the rest from the texts
/// here.
package enum ManualPage {
  /// The whole page as the file `man/herald.1` holds it.
  package static var text: String {
    let sections = [
      head, description, options, tests, checks, repairs, live, replication, commands, environment,
      files, status, examples,
      diagnostics,
      seeAlso,
    ]
    return sections.map { $0 + "\n" }.joined()
  }

  private static let description = """
    .Sh DESCRIPTION
    .Nm
    keeps objects of declared classes in a
    .Ar store
    and notifies observers of changes: which rows of a query or a list were deleted, inserted or
    modified, and which properties of an object have new values.
    Without
    .Ar store
    it opens a new store in memory.
    A store is one file with a lock file beside it; several programs may share it.
    If there is no file yet, the first commit makes both.
    .Pp
    \(LanguageReference.prompt.mdocText)
    .Pp
    Standard input that is not a terminal is read as a script, as are the files and texts of
    .Fl f
    and
    .Fl c .
    A script is read and run statement by statement and stops at the first error, with the store as
    the last commit left it.
    If its output is closed,
    .Nm
    ends silently.
    .Pp
    A statement ends at a newline or a semicolon.
    A number sign at the start of a line or after white space begins a comment.
    .Ql $name
    is a variable,
    .Ql Dog#3
    the object of class Dog with the primary key 3, or with the object number 3 if the class has no
    primary key.
    A query is a class or a list followed by
    .Ql where Ar predicate ,
    .Ql sort(path desc, ...) ,
    .Ql distinct(path, ...) ,
    .Ql limit(n)
    and
    .Ql offset(n) ,
    the last four in any number and order.
    .Pp
    After each statement pending notifications are delivered to the observers of its session, then to
    those of every other session, until none is pending.
    """

  private static let options = """
    .Sh OPTIONS
    Options may be given in any order.
    .Bl -tag -width Ds
    .It Fl f Ar script
    Run the statements of a file;
    .Ql -
    is standard input.
    May be given several times, mixed with
    .Fl c ,
    and runs in the order given.
    .It Fl c Ar commands
    Run the statements of an argument.
    .It Fl -key Ar file
    The key of an encrypted Realm file, as
    .Xr herald-realm 7
    says.
    .It Fl -set Ar name Ns = Ns Ar value
    Set the variable
    .Ql $name
    before the first script runs: to the value of a literal if
    .Ar value
    is one, such as
    .Ql 3 ,
    .Ql [1, 2]
    or
    .Ql \\(dq3\\(dq ,
    otherwise to
    .Ar value
    itself, as a string.
    May be given several times.
    .It Fl - Ar argument ...
    What follows is for the scripts, in the variable
    .Ql $args :
    a list of strings, without arguments an empty one.
    .It Fl -json
    Write every result, event and error as one JSON object a line.
    .It Fl -answers
    Answer each statement with at least one line of JSON on standard output: what it prints, or
    .Ql {\\(dqok\\(dq:true,\\(dqversion\\(dq:42} ,
    with the version of the store after it.
    The answer comes before the events that follow from the statement.
    A statement that fails is answered by its error, and the next one runs.
    So a program can hold a conversation through pipes.
    .It Fl -read-only
    Open the store for reading only.
    Nothing is created or changed, not even its lock file; see
    .Xr herald-store 5 .
    .It Fl -mode Ar mode
    The permissions of the files of a new store, in octal, independent of the
    .Xr umask 2 :
    .Cm 0600 ,
    the user alone, by default;
    .Cm 0660
    includes the group.
    .It Fl -max-size Ar size
    The size limit of the store: a number of bytes, or one with
    .Cm K ,
    .Cm M ,
    .Cm G
    or
    .Cm T .
    A transaction that exceeds it is rolled back.
    .It Fl -max-write Ar size
    The memory limit of one transaction, for what it changes and deletes and for its longest string or
    data: a quarter of the machine's memory by default.
    A transaction that exceeds it fails and is rolled back.
    .It Fl -keep-going
    Continue after a statement that failed.
    .It Fl -echo
    Print each statement before its output.
    .It Fl -color Ar when
    Colour the prompt and its input, and show hints for the next word:
    .Cm auto ,
    .Cm always
    or
    .Cm never .
    .It Fl -rc
    Read the start-up file, which otherwise only a prompt does.
    .It Fl -no-rc
    Do not read the start-up file.
    .It Fl -quiet
    Print no greeting at the prompt.
    .It Fl -version
    Print the version and exit.
    .It Fl -help
    Print the options and exit.
    .El
    """

  private static let tests = """
    .Sh TESTS
    .Nm
    .Cm test
    runs each
    .Ar script
    as a test case, on its own store in memory and without the start-up file.
    A script passes when no statement and no expectation in it fails.
    The output is the Test Anything Protocol, version 14: a line for each script, and for one that
    failed a YAML block with the message, its position, the statement and the last lines that it
    printed.
    With
    .Fl -summary
    the output is the errors and the number of scripts that passed; with
    .Fl -echo
    it includes each statement and its output, as comments.
    .Fl -set
    sets variables in each script.
    The options may also precede
    .Cm test .
    The exit status is that of the first script that failed.
    .Pp
    A store named
    .Pa test
    is opened as
    .Pa ./test .
    """

  private static let checks = """
    .Sh CHECKS
    .Nm
    .Cm check
    reads the whole store in
    .Ar file
    and prints
    .Ql ok ,
    or its problems, one a line; with
    .Fl -json
    .Ql {"result":{"ok":true,"problems":[]}} .
    The file is only read, and programs that have the store open continue.
    The exit status is 5 if there are problems, and 4 if the file is missing, cannot be read or is not a
    store.
    A store named
    .Pa check
    is opened as
    .Pa ./check .
    """

  private static let repairs = """
    .Sh REPAIRS
    .Nm
    .Cm repair
    creates the store
    .Ar new
    from what can still be read of the damaged one in
    .Ar file ,
    which is only read, and prints what was lost, one per line:
    .Ql Dog 3 'name': its value cannot be read .
    The number of losses of each property and the number of objects follow; with
    .Fl -json
    .Ql {"result":{"objects":3,"version":7,"lost":[],"counts":[]}} .
    .Pp
    Objects keep their primary keys and numbers.
    Links to lost objects become nil, or are removed from their collection.
    A required property that has lost a value becomes optional.
    Where a part of the newest version cannot be read, an earlier version replaces it and is listed among
    the losses.
    .Pp
    The first million losses are listed one by one; the rest are counted.
    The exit status is 0 if nothing was lost, 5 if something was, 4 if
    .Ar file
    is missing, is being written to or contains no part of a store, and 1 if
    .Ar new
    exists already or cannot be written; no file is left then.
    A store named
    .Pa repair
    is opened as
    .Pa ./repair .
    """

  private static var commands: String {
    """
    .Sh COMMANDS
    Each command is described with its rules and examples in
    .Xr herald-language 7 ,
    and by
    .Ic help Ar word
    in the shell.

    """ + Mdoc.commands(Mdoc.summary)
  }
}

// MARK: The rest of the page

extension ManualPage {
  private static let status = """
    .Sh EXIT STATUS
    The first failure determines the status, also with
    .Fl -keep-going .
    .Pp
    .Bl -tag -width Ds -compact
    .It 0
    Success.
    .It 1
    A statement failed.
    .It 2
    The usage is wrong.
    .It 3
    An expectation failed.
    .It 4
    A store or a script could not be opened.
    .It 5
    .Ic check
    found problems in a store, or
    .Cm repair
    lost something.
    .It 130
    Interrupted.
    .El
    """

  private static let environment = """
    .Sh ENVIRONMENT
    .Bl -tag -width XDG_CONFIG_HOME
    .It Ev XDG_CONFIG_HOME
    The parent of the folder
    .Pa herald
    with the start-up file;
    .Pa ~/.config
    by default.
    .It Ev XDG_STATE_HOME
    The parent of the folder
    .Pa herald
    with the history;
    .Pa ~/.local/state
    by default.
    .It Ev NO_COLOR
    Disables colour, unless
    .Fl -color
    is given.
    .It Ev PAGER
    The command that shows output longer than the window, at the prompt.
    Without it a table is truncated to the window.
    .It Ev VISUAL , EDITOR
    The editor that
    .Ic edit
    starts;
    .Xr vi 1
    by default.
    .It Ev TMPDIR
    The folder of the file that
    .Ic edit
    edits;
    .Pa /tmp
    by default.
    .It Ev HERALD_WATCH_CHECK
    If it is set,
    .Ic watch
    compares the rows that it shows with the collection every second, and fails if they differ.
    .It Ev HERALD_PROGRESS
    If it is set, a terminal shows the progress of an import from its start, not only after a second.
    .It Ev EDITRC
    The file with key bindings for the prompt; see
    .Xr editrc 5 .
    .El
    """

  private static let files = """
    .Sh FILES
    .Bl -tag -width Ds
    .It Pa *.hdb
    Stores.
    .It Pa *.hdb-lock
    The lock of a store, beside it.
    It must not be removed while a program has the store open.
    .It Pa *.herald
    Scripts.
    .It Pa $XDG_CONFIG_HOME/herald/rc
    Statements that run before the first prompt, such as aliases; with
    .Fl -rc
    also before scripts.
    .It Pa $XDG_STATE_HOME/herald/history
    The statements typed at the prompt, readable by the user alone.
    .El
    """

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr herald-serve 1 ,
    .Xr editrc 5 ,
    .Xr herald-store 5 ,
    .Xr herald-language 7 ,
    .Xr herald-realm 7
    """
}
