extension ManualPage {
  /// The name and the forms of the command line.
  static let head = """
    .\\" Made from the description of the commands; a test keeps the two equal.
    .Dd November 24, 2026
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
    .Op Fl -answers
    .Op Fl -read-only
    .Op Fl -key Ar file
    .Op Fl -mode Ar mode
    .Op Fl -max-size Ar size
    .Op Fl -max-write Ar size
    .Op Fl -keep-going
    .Op Fl -echo
    .Op Fl -color Ar when
    .Op Fl -rc
    .Op Fl -no-rc
    .Op Fl -quiet
    .Op Fl -version
    .Op Fl -help
    .Op Fl - Ar argument ...
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
    .Nm
    .Cm replicate
    .Op Fl -json
    .Ar file
    .Cm to
    .Ar address
    .Nm
    .Cm convert
    .Op Fl -json
    .Op Fl -key Ar file
    .Ar file
    .Cm to
    .Ar new
    .Nm
    .Cm live
    .Op Fl -store Ar file
    .Op Fl c Ar commands
    .Op Fl -with Ar options
    .Op Fl -json
    .Op Fl -color Ar when
    .Ar class
    .Op Ar query
    .Nm
    .Cm serve
    .Ar store
    .Op Fl -listen Ar address
    .Op Fl -token-file Ar file
    .Op Fl -read-only
    .Op Fl -origin Ar url ...
    .Nm
    .Cm help
    .Op Ar word ...
    """
}
