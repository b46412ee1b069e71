/// The manual page herald(1), in mdoc(7): the commands from the one description of them, the rest
/// from the texts here.
package enum ManualPage {
  /// The whole page as the file `man/herald.1` holds it.
  package static var text: String {
    let sections = [
      head, description, options, tests, checks, repairs, commands, environment, files, status,
      examples,
      diagnostics,
      seeAlso,
    ]
    return sections.map { $0 + "\n" }.joined()
  }

  private static let head = """
    .\\" Made from the description of the commands; a test keeps the two equal.
    .Dd November 21, 2026
    .Dt HERALD 1
    .Os
    .Sh NAME
    .Nm herald
    .Nd observable object database and its shell
    .Sh SYNOPSIS
    .Nm
    .Op Ar store
    .Op Fl f Ar script
    .Op Fl c Ar commands
    .Op Fl -set Ar name Ns = Ns Ar value
    .Op Fl -json
    .Op Fl -read-only
    .Op Fl -mode Ar mode
    .Op Fl -max-size Ar size
    .Op Fl -max-write Ar size
    .Op Fl -keep-going
    .Op Fl -echo
    .Op Fl -color Ar when
    .Op Fl -no-rc
    .Op Fl -quiet
    .Op Fl -version
    .Op Fl -help
    .Nm
    .Cm test
    .Op Fl -summary
    .Op Fl -echo
    .Op Fl -set Ar name Ns = Ns Ar value
    .Ar script ...
    .Nm
    .Cm check
    .Op Fl -json
    .Ar file
    .Nm
    .Cm repair
    .Op Fl -json
    .Ar file
    .Cm to
    .Ar new
    """

  private static let description = """
    .Sh DESCRIPTION
    .Nm
    keeps objects of declared classes in a
    .Ar store
    and tells observers what changes in it: which rows of a query or a list went, came or were
    modified, which properties of an object have new values.
    Without
    .Ar store
    it works on a new store in memory.
    A store is one file with a lock file beside it; programs may share it.
    .Pp
    At a terminal
    .Nm
    reads statements from a prompt; a statement goes on over several lines while a bracket is open.
    Tab goes on with the word that was begun or lists the ways to: names, the keys of objects and of
    maps, files.
    Ctrl-R searches the statements typed earlier, Ctrl-C drops the line or stops the statement that
    runs, Ctrl-Z suspends, and Ctrl-D leaves.
    The keys are those of emacs, or those of vi where
    .Xr editrc 5
    says
    .Ql bind -v .
    What is typed while a statement runs is shown by the next prompt.
    A line that begins with a space is not kept.
    Control characters and marks that turn the direction of writing, in data, names and messages, are
    shown escaped, as in a string; pipes and files get them as they are.
    Standard input that is not a terminal is read as a script, as are the files and texts of
    .Fl f
    and
    .Fl c .
    A script is read and run statement by statement and ends at the first error, with the store as
    the last commit left it.
    .Pp
    A statement ends at a newline or a semicolon.
    A number sign at the start of a line or after a blank begins a comment.
    .Ql $name
    is a variable,
    .Ql Dog#3
    the object of class Dog with the primary key 3, or the third one made where the class has no
    primary key.
    A query is a class or a list with
    .Ql where Ar predicate ,
    .Ql sort(path desc, ...) ,
    .Ql distinct(path, ...)
    and
    .Ql limit(n)
    after it, the last three in any number and order.
    .Pp
    After each statement the turn of its session ends and its observers are told what they are owed;
    then those of every other session, until nothing is left.
    """

  private static let options = """
    .Sh OPTIONS
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
    .It Fl -set Ar name Ns = Ns Ar value
    Set the variable
    .Ql $name
    before the first script runs: to the value of a literal where
    .Ar value
    is one, such as
    .Ql 3 ,
    .Ql [1, 2]
    or
    .Ql \\(dq3\\(dq ,
    else to
    .Ar value
    itself, as a string.
    May be given several times.
    .It Fl -json
    Write every result, event and error as one JSON object a line.
    .It Fl -read-only
    Open the store for reading only.
    Nothing is made or changed, its lock file neither; see
    .Xr herald-store 5 .
    .It Fl -mode Ar mode
    The permissions of the files of a new store, in octal, whatever the
    .Xr umask 2 :
    .Cm 0600 ,
    the user's alone, unless given;
    .Cm 0660
    lets the group in.
    .It Fl -max-size Ar size
    What a store cannot exceed: a number of bytes, or one with
    .Cm K ,
    .Cm M ,
    .Cm G
    or
    .Cm T .
    A transaction that would is rolled back.
    .It Fl -max-write Ar size
    The memory that one transaction may need, for what it changes and deletes and for strings and data
    of more than four kilobytes: a quarter of the machine's unless given.
    One that needs more is an error and rolled back.
    .It Fl -keep-going
    Go on after a statement that failed.
    .It Fl -echo
    Write each statement before what it prints.
    .It Fl -color Ar when
    Colour the prompt and the statements that are typed at it, and hint at the next word:
    .Cm auto ,
    .Cm always
    or
    .Cm never .
    .It Fl -no-rc
    Do not read the start-up file.
    .It Fl -quiet
    Print no greeting at the prompt.
    .It Fl -version
    Print the version and leave.
    .It Fl -help
    Print the options and leave.
    .El
    """

  private static let tests = """
    .Sh TESTS
    .Nm
    .Cm test
    runs each
    .Ar script
    as a test case, on a store in memory of its own and without the start-up file.
    A script passes when no statement and no expectation in it fails.
    What is told is the Test Anything Protocol, version 14: a line for each script, and for one that
    failed a YAML block with the message, the place, the statement and the last lines that it
    printed.
    With
    .Fl -summary
    the errors are told instead, and how many scripts passed; with
    .Fl -echo
    each statement and what it prints, as comments.
    .Fl -set
    sets variables in each script.
    The options may stand before
    .Cm test
    too.
    The exit status is that of the first script that failed.
    .Pp
    A store that is called
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
    or what is wrong with it, one problem a line; with
    .Fl -json
    .Ql {"result":{"ok":true,"problems":[]}} .
    The file is only read, and programs that have the store open go on.
    The exit status is 5 where there are problems, and 4 where the file is missing, cannot be read or is
    not a store.
    A store that is called
    .Pa check
    is opened as
    .Pa ./check .
    """

  private static let repairs = """
    .Sh REPAIRS
    .Nm
    .Cm repair
    makes the store
    .Ar new
    of what can still be read of the damaged one in
    .Ar file ,
    which is only read, and prints what was lost, one thing a line:
    .Ql Dog 3 'name': what it held cannot be read .
    How much was lost of each property follows, and how many objects there are; with
    .Fl -json
    .Ql {"result":{"objects":3,"version":7,"lost":[],"counts":[]}} .
    .Pp
    Objects keep their primary keys and numbers.
    Links to lost objects become nil, or leave their collection.
    A property that must have a value, and has lost one, may be nil from then on.
    Where a part of the newest version cannot be read, what an earlier one had stands in for it, and is
    among what was lost.
    .Pp
    Of the first million losses each is named; the rest are counted.
    The exit status is 0 where nothing was lost, 5 where something was, 4 where
    .Ar file
    is missing, is being written to or has nothing of a store, and 1 where
    .Ar new
    is there already or cannot be written; nothing of it is left then.
    A store that is called
    .Pa repair
    is opened as
    .Pa ./repair .
    """

  private static var commands: String {
    """
    .Sh COMMANDS
    Each is described with its rules and examples in
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
    The first failure decides, also with
    .Fl -keep-going .
    .Pp
    .Bl -tag -width Ds -compact
    .It 0
    All is well.
    .It 1
    A statement failed.
    .It 2
    The command line is wrong.
    .It 3
    An expectation failed.
    .It 4
    A store or a script could not be opened.
    .It 5
    .Ic check
    found something wrong with a store, or
    .Cm repair
    something that was lost.
    .It 130
    It was interrupted.
    .El
    """

  private static let environment = """
    .Sh ENVIRONMENT
    .Bl -tag -width XDG_CONFIG_HOME
    .It Ev XDG_CONFIG_HOME
    Where the folder
    .Pa herald
    with the start-up file is;
    .Pa ~/.config
    without it.
    .It Ev XDG_STATE_HOME
    Where the folder
    .Pa herald
    with the history is;
    .Pa ~/.local/state
    without it.
    .It Ev NO_COLOR
    Colour nothing, unless
    .Fl -color
    says otherwise.
    .It Ev PAGER
    The command that shows what is longer than the window, at the prompt.
    Without it a table is cut to the window.
    .It Ev HERALD_WATCH_CHECK
    Where it is set,
    .Ic watch
    compares what it shows with the collection every second, and fails where they differ.
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
    The lock of a store, made beside it.
    It must not be removed while a program has the store open.
    .It Pa *.herald
    Scripts.
    .It Pa $XDG_CONFIG_HOME/herald/rc
    Statements that run before anything else.
    .It Pa $XDG_STATE_HOME/herald/history
    What was typed at the prompt, for its user's eyes alone.
    .El
    """

  private static let diagnostics = """
    .Sh DIAGNOSTICS
    An error is told on standard error as
    .Ql file:line:column: error: message ,
    followed by the line and a caret under the place.
    With
    .Fl -json
    it is an object with
    .Ql message ,
    .Ql file ,
    .Ql line
    and
    .Ql column .
    """

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr editrc 5 ,
    .Xr herald-store 5 ,
    .Xr herald-language 7
    """
}
