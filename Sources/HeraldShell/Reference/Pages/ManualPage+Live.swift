extension ManualPage {
  static let live = """
    .Sh LIVE PIPES
    .Nm
    .Cm live
    adds each line of standard input to
    .Ar class
    as an object, and shows
    .Ar query
    meanwhile: at a terminal as a table that follows every commit, as
    .Ic watch
    does, elsewhere as the events of
    .Ic follow .
    .Bd -literal -offset indent
    tail -f access.log |
      herald live Request \\
        'group by status { n: @count } sort(n desc)'
    .Ed
    .Pp
    Lines are objects of JSON, CSV behind its header, logfmt, or the common or combined log format of web servers;
    .Ic import
    in
    .Xr herald-language 7
    says how they become objects, and how a class that does not exist is made from the first ones.
    They are committed at most 50 ms after they came, those that came meanwhile in one commit.
    A line that cannot be added is named on standard error, or once the table is left, and the rest goes on.
    .Pp
    The query is one over the class, which it need not name:
    .Ql where ms > 100 sort(ms desc) limit(10) ,
    .Ql group by path { n: @count } ,
    .Ql group where ms > 9 by path { n: @count } ,
    .Ql sections by status ,
    .Ql value @count ;
    a value is no table, and is printed as it changes.
    Without a query all objects are shown.
    .Pp
    It ends with the input, whose last state it prints, by Ctrl-C, or by q, which is typed at the terminal although lines come
    from a pipe.
    .Bl -tag -width Ds
    .It Fl -store Ar file
    Keeps the objects in a store; without it they are in memory.
    .It Fl c Ar commands
    Runs commands first, which may declare the class.
    Can be repeated.
    .It Fl -with Ar options
    What
    .Ic import
    takes behind
    .Ic with :
    .Ql form log, columns { more1: ms } .
    .It Fl -json
    Writes events and errors as JSON, without a table.
    .It Fl -color Ar when
    When to colour:
    .Cm auto ,
    .Cm always
    or
    .Cm never .
    .El
    .Pp
    The exit status is 0 at the end of the input and after q, 1 if the query failed, 2 for wrong usage, 4 if the store
    cannot be opened, and 130 after Ctrl-C without a table.
    A store named
    .Pa live
    is opened as
    .Pa ./live .
    """
}
