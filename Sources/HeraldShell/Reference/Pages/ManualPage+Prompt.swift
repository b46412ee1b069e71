extension ManualPage {
  /// What the prompt shows, and its keys.
  static let prompt = """
    At a terminal
    .Nm
    reads statements from a prompt; a statement continues over several lines while a bracket is open.
    The prompt is the name of the store and that of the session, with a star while a transaction is
    open; on further lines of a statement it shows the brackets that are open.
    Leaving with an open transaction rolls it back, and says what is lost.
    A statement that waits for another process's transaction names the process.
    .Pp
    Tab completes the word or lists its completions: names, the keys of objects and of maps, strings
    of a property, files.
    Names of classes and properties that the store does not have are red.
    The arrow up recalls the statements typed earlier, those that begin with the text before the
    cursor; a statement of several lines is recalled as a whole.
    Ctrl-R searches them, Ctrl-_ undoes a change of the line, Ctrl-C discards the line or stops the
    statement that runs, Ctrl-Z suspends, and Ctrl-D leaves.
    .Ic edit
    opens the last statement in an editor, and
    .Ic alias
    names the beginning of a statement.
    The keys are those of emacs, or those of vi where
    .Xr editrc 5
    says
    .Ql bind -v .
    Input typed while a statement runs appears at the next prompt.
    A line that begins with a space is not kept in the history.
    Control characters and bidirectional formatting characters in data, names and messages are shown
    escaped, as in a string; pipes and files receive them unchanged.
    """
}
