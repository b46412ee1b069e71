struct ObserveStatement: StatementForm {
  static let command = Command(
    "observe",
    [
      "observe store [as NAME] [do { STATEMENTS }]",
      "observe OBJECT [as NAME] [keypaths PATH, ... | keypaths none] [exclusive] [on ACTOR] "
        + "[do { STATEMENTS }]",
      "observe QUERY [as NAME] [keypaths PATH, ... | keypaths none] [depth N] [on ACTOR] "
        + "[do { STATEMENTS }]",
      "observe QUERY sections by EXPR [desc] [as NAME] [keypaths PATH, ... | keypaths none] "
        + "[depth N] [on ACTOR] [do { STATEMENTS }]",
      "observe value EXPRESSION [when CONDITION] [as NAME] [on ACTOR] [do { STATEMENTS }]",
      "observe property OBJECT.PROPERTY [as NAME]",
      "observe PROJECTION of OBJECT [as NAME] [keypaths NAME, ... | keypaths none]",
      "observe histogram QUERY by EXPR [bins N] [as NAME] [on ACTOR] [do { STATEMENTS }]",
      "observe ... do run PROGRAM [ARGUMENT ...] [--after-file FILE]",
    ], "register an observer and print what changes",
    [
      "An observer of a collection receives initial first, and then updates by row position: "
        + "deletions in the old rows, insertions in the new ones, modifications in both.",
      "A map reports keys instead of rows; an object reports its changed properties, or deleted.",
      "A list or a map in a property of type any is observed alike, for as long as it is there.",
      "Key paths restrict what counts as a change; depth is the number of links that are "
        + "followed to find one.",
      "In a key path * stands for every property but backlinks; before another name, for the links "
        + "and collections of links to a class that has a property of that name.",
      "With on, the observer has a session of its own with that name.",
      "Sections hold the rows of equal values of an expression, in the order of these values: its observer receives "
        + "the positions of deleted and inserted sections, and each row as the position of its section "
        + "and that within it, as in [0.2]. The rows of a deleted section are not listed; a row that goes "
        + "to another section is deleted and inserted. To follow them: remove deleted rows, deleted "
        + "sections, insert sections, then rows.",
      "A property observer receives the old and the new value at once when its session assigns "
        + "the property, and once for all changes made by others.",
      "For a collection it receives the kind of the change: insertion, removal, replacement or "
        + "setting.",
      "A value is an aggregate of a query or a collection, or arithmetic over several: its observer "
        + "receives it first, and then the old and the new one after each delivery in which it "
        + "differs. With when, as in when > 100 or when value % 2 == 0, only where the condition "
        + "begins to hold.",
      "OBJECT.invalidated notifies when the object is deleted. An observer whose store was "
        + "replaced, lost or damaged receives the error and ends; its block does not run.",
      "Without as, observers are named t1, t2 and so on. No two live observers may have one name, "
        + "and none may be named all, store or none.",
      "The event is printed before the block runs. The block can use $object and $properties, or "
        + "$rows, $deletions, $insertions, $modifications and $modificationsNew; for a property "
        + "$object with $old and $new, or with $rows; for a value $old, which is nil at first, and $new; for "
        + "sections also $sectionDeletions and $sectionInsertions, positions as lists of two numbers, and "
        + "in $rows a map with key and rows for each.",
      "do run starts PROGRAM for each event, with the event as a line of JSON on its standard input: what "
        + "follow prints of it, with the version after it; of the store each commit, as log version prints it. "
        + "Words may be in quotes, and go to the program as they are: no system's shell reads them, unless it is "
        + "the program, as in run sh -c \"...\". A program with a slash is a path, any other is searched for. Its "
        + "output goes where that of herald goes, with --answers to standard error.",
      "One program runs at a time for each observer, and events wait in their order: the session goes on "
        + "meanwhile, but waits, too, while 1,000 events do. A script ends, and close returns, once the programs have run "
        + "for all events; after Ctrl-C, and of an observer that is invalidated, those that wait are forgotten. A "
        + "status other than 0 is reported, gives the script the status 1, and the next event follows.",
      "With --after-file no event is lost. FILE has the version after the last event for which the program "
        + "ended with status 0; after another status it is run again for the same event, after a second and then "
        + "twice as long each time, up to a minute, and once more when the script ends. If FILE exists, the first event "
        + "is left out, and those of the commits after its version come first, one for each commit that changed a row: "
        + "so whatever ended herald, an event comes again until a program has ended well, and may come twice, "
        + "with the same version. A program that runs when herald is killed is not ended. Of those commits, a row is modified "
        + "if it is written otherwise, whatever the key paths; each costs what it changed, and with embedded objects, "
        + "groups, histograms and values all rows. It is for the store, rows, groups, histograms and values without when; "
        + "a FILE is for one observer. If the log no longer has the version, the error says so.",
    ],
    examples: [
      "observe Dog where age > 5 sort(age) as old",
      "observe $max as max keypaths name, owner.name",
      "observe $p.dogs as pack do { print $insertions }",
      "observe value (Dog where age > 3).@count when > 1 as many",
      "observe Dog sort(name) sections by owner.name as homes",
      "observe property $max.name as k", "observe Card of $max as c keypaths title",
      "observe Dog where age > 9 as aged do run cat",
    ], inWrites: true,
    parse: { parser throws(ShellError) in Self(syntax: try ObserveSyntax(&parser)) })

  let syntax: ObserveSyntax

  func run(in context: Context) throws { _ = try syntax.observe(in: context) }
}
