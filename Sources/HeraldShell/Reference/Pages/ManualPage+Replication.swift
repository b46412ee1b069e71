extension ManualPage {
  static let replication = """
    .Sh REPLICATION
    A commit of a store that many machines share is acknowledged once the majority of the stream's servers
    has it, and the machine's own file has it, synced.
    Servers write to their disks later, by default every two minutes: what they have acknowledged since is
    lost with their power.
    Every machine's file has all commits that the machine acknowledged or received.
    .Pp
    A machine whose file has commits that the stream has lost says so when it opens the store, and in
    .Ic status ,
    and refuses to write until they are put back.
    .Nm
    .Cm replicate
    puts the commits of
    .Ar file
    back into the stream at
    .Ar address ,
    each as the version that it was, where nobody else has committed since, and prints how many:
    .Ql put back 3 commits, versions 42 to 44 ;
    with
    .Fl -json
    .Ql {"result":{"stream":"nats://host/pets","version":44,"putBack":3}} .
    Every machine takes them in by itself.
    Where several machines have commits that the stream has lost, that with the most is the one to put back;
    the others follow.
    All commits are put back or none, and what was interrupted may be repeated.
    .Pp
    A stream that was lost as a whole, and a new one, becomes one of the whole
    .Ar file ,
    with its log; any store can be made one of many machines so.
    If others have committed since the stream lost its commits, or if the log of
    .Ar file
    no longer has the stream's newest version, so that nobody can say, it is refused; the file keeps its commits,
    and can be read by its path, or made a stream of another name.
    .Pp
    The exit status is 0 if the stream has every commit of
    .Ar file ,
    4 if the file is missing, cannot be read or is not a store, and 1 if the commits were not put back.
    A store named
    .Pa replicate
    is opened as
    .Pa ./replicate .
    """
}
