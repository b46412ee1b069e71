import Herald

/// `import FILE into CLASS`, `import FILE as new CLASS dry run`: adds the objects of files in one transaction, whose
/// classes are declared in it where the statement says so. Objects may link to objects of any of the files.
struct ImportStatement: StatementForm {
  static let command = Command(
    "import",
    [
      "import FILE into CLASS [upsert] [with OPTION, ...], ...",
      "import FILE as new CLASS [with OPTION, ...], ... [dry run]",
      "import FILE into CLASS [upsert] live [with OPTION, ...]",
      "import FILE.realm [into CLASS, ...] [key FILE]",
      "with delimiter \"C\" | tab, quote \"C\" | none, escape \"C\", header yes | no, skip N, "
        + "comment \"TEXT\", short rows, encoding WORD, form logfmt | log",
      "with nil \"TEXT\", ..., decimal \"C\", thousands \"C\", dates \"FORM\", ..., "
        + "columns { COLUMN: NAME | skip | text | or nil, ... }",
    ],
    "add objects from a file of JSON, CSV or a log",
    [
      "The file holds a JSON array of objects, one JSON object a line, an object around one array, "
        + "comma-separated values, or a log; it may be compressed by gzip and, where the programs "
        + "zstd and xz are installed, by these. - is standard input, ~/ the "
        + "home folder, and a name with * or ? all files that it fits, of one form. Names are those of the properties; links are given by primary key, "
        + "lists and sets as arrays, maps and embedded objects as objects, dates in every form of "
        + "a literal, Booleans also as yes, no, 1 and 0, "
        + "data as base64, decimals, uuids and object ids as they print. In a property of type "
        + "any, the only member of an object may name a type that JSON lacks: $date, $data, "
        + "$decimal, $float, $double, $uuid, $oid, $link.",
      "as new declares the class that the file needs: bool, int, double, decimal, date, uuid or "
        + "string, with ? where a value is missing, lists, embedded classes and maps for arrays and "
        + "objects, any for mixed values of JSON. Numbers with leading zeros and uuids in capitals "
        + "stay strings, numbers that an int and a double would change become decimals, and strings "
        + "if they have more than 34 digits. A column of no alone is no Boolean. A column named id, _id, CLASSid, uuid or guid is "
        + "the primary key if its values are unique and none is missing. Names that cannot be those of "
        + "properties are changed, and a note says how; a later import into the class knows them, but a file that lacks some of those which are made "
        + "into one name must say by columns which it has. "
        + "dry run, or --dry-run, prints the classes, to be edited and run, and changes nothing. At "
        + "the prompt an import into an unknown class proposes one.",
      "In CSV an empty field is nil, and an empty string is in quotes; where the property is none "
        + "of text, these are nil, too. Without delimiter it is the one of tab, bar, semicolon and "
        + "comma that gives all of the first records the same number of fields. Lines end in LF, CR "
        + "LF or CR. Empty lines are skipped, and lines with # before the header. A first line sep=; names the delimiter. The encoding is "
        + "utf8, utf16, utf16le, utf16be, latin1 or windows1252; without it UTF-8, or UTF-16 that is seen to be it. With header no the "
        + "columns are column1, column2, and so on. columns renames a column, leaves it out, or takes "
        + "its values as text; NAME text does both, and *: skip leaves out all others. With or nil, "
        + "a link that leads nowhere is nil; how many are is said.",
      "skip 3 leaves out the lines before the header, comment \"#\" those that begin with it. short rows "
        + "may lack their last fields, which are nil. nil \"NA\", \"-\" are the texts that mean nil, in "
        + "quotes, too. decimal \",\" and thousands \".\" are the signs "
        + "of numbers, escape \"\\\\\" the one before a quote in quotes. dates \"dd.MM.yyyy HH:mm\" is the form "
        + "of dates, beside that of a literal: yyyy, yy (1969 to 2068), MM, M, dd, d, HH, H, mm, m, ss, s, "
        + "MMM (Jan), MMMM (January), and hh or h with a (AM or PM). Several forms are separated by commas. "
        + "They hold in properties of type any, too. A string that must not be nil is not set to such a text.",
      "A log is one of logfmt, whose lines are pairs, level=info msg=\"it began\" ms=12, or of a web server, in the common or "
        + "the combined log format: host, ident, user, time, method, path, protocol, status, bytes, referer and agent, and "
        + "more1, more2 and so on for what follows these; - is nil. A request that is none is a path. The first line shows the "
        + "form, unless the name of the file ends in .csv, .tsv or .json; form logfmt or form log says it.",
      "live adds objects as lines come, until the input ends or Ctrl-C: from a pipe, or a file that grows, also one that is "
        + "replaced, as logs are, with a header of its own in CSV. Each line is a record, and CSV begins with its header. What came meanwhile is one "
        + "transaction, at most 50 ms after it came, and observers are notified of it. A class that does not exist is made from "
        + "the first lines: all its properties may be nil, none is the primary key, and later lines add properties. A line "
        + "that cannot be added is named in a note, the first 100, and counted; the rest goes on. It runs only in the "
        + "session main, outside of transactions and of observers' blocks.",
      "upsert changes the objects whose primary keys are there: it sets the columns of the file, and "
        + "adds the others. At the prompt it says how many it added, changed and left.",
      "Of a Realm file all classes are taken over, or those named, with their objects, which are added to those "
        + "of a class that is there; links to objects of other classes are nil.",
      "Links may refer to later objects, in this file or another of the same import. An object "
        + "without a primary key is linked to by the number that the file gives it as $key, or "
        + "else by its number in the store. Without live the import is one transaction, which Ctrl-C rolls back; "
        + "a terminal shows its progress.",
    ],
    examples: [
      "import dogs.csv into Dog", "import a.json into Dog, b.json into Person",
      "import people.csv as new Resident dry run",
      "import towns.csv as new Town with delimiter \";\", columns { post code: zip text, note: skip }",
      "import ages.csv into Dog upsert",
      "import pups.csv into Dog with columns { boss: owner or nil }",
      "import access.log as new Request with columns { more1: ms }",
      "import - into Request live",
      "import 2026-*.csv as new Entry with skip 1, decimal \",\", dates \"dd.MM.yyyy\"",
    ], inWrites: true, parse: Self.init)

  let files: [ImportSyntax]
  /// A file of the documented system, which is imported alone.
  let realmFile: RealmImport?

  init(_ parser: inout StatementParser) throws(ShellError) {
    var files: [ImportSyntax] = []
    repeat {
      let path = try parser.path()
      if files.isEmpty, path.text.hasSuffix(".realm") {
        self.files = []
        realmFile = try RealmImport(path, &parser)
        return
      }
      var file = try ImportSyntax.importedClass(&parser, path)
      if parser.takeIf("with") { try ImportSyntax.importOptions(&parser, &file) }
      files.append(file)
    } while parser.takeIf(sign: ",")
    if let live = files.first(where: \.isLive), files.count > 1 {
      throw parser.failure(.misplaced("live", belongsTo: "import of one file"), at: live.path.span)
    }
    let start = parser.token
    if try Self.dryRun(&parser) {
      guard files.allSatisfy({ $0.declares && !$0.isLive }) else {
        throw parser.failure(.misplaced("dry run", belongsTo: "import … as new"), at: start.span)
      }
      for index in files.indices { files[index].isDryRun = true }
    }
    self.files = files
    realmFile = nil
  }

  /// `dry run` or `--dry-run`.
  private static func dryRun(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    if parser.takeIf("dry") {
      try parser.take("run")
      return true
    }
    let text = Array("--dry-run".utf8)
    guard parser.isSign("-"),
      parser.bytes[parser.token.start..<parser.lexer.limit].starts(with: text)
    else { return false }
    parser.move(to: parser.token.start + text.count)
    return true
  }

  func run(in context: Context) throws {
    if let realmFile { return try realmFile.run(in: context) }
    if files.contains(where: \.isLive) { return try runLive(in: context) }
    let files = try self.files.flatMap { try $0.matching(context) }.map { try opened($0, context) }
    let meter = ImportMeter(context.shell.options)
    guard try infer(files, meter, context) else { return context.confirm { "imported nothing" } }
    if self.files.contains(where: \.isDryRun) { return show(files, context) }
    let added = try context.store.isInWrite ? AddedObjects() : nil
    let counts = try context.change { store in
      do {
        for file in files {
          for definition in file.inferred?.classes ?? [] {
            try placing(at: file, context) { try store.declare(definition) }
            added?.note(definition)
          }
        }
        return try importFiles(files, added, meter, store, context)
      } catch {
        // In a transaction that stays open, this statement is undone: all or nothing.
        if !context.shell.isInterruption(error) { added?.remove(from: store) }
        throw error
      }
    }
    for file in files { remark(on: file, context) }
    confirm(counts, context)
  }

  private func confirm(_ all: (records: Int, counts: ImportCounts), _ context: Context) {
    if all.counts.nilLinkCount > 0 {
      let isOne = all.counts.nilLinkCount == 1
      remark(
        "\(all.counts.nilLinkCount) link\(isOne ? " leads" : "s lead") nowhere, and \(isOne ? "is" : "are") nil",
        self.files[0].path.span, context)
    }
    context.confirm {
      files.contains(where: \.updates)
        ? all.counts.text : "imported \(all.records) object\(all.records == 1 ? "" : "s")"
    }
  }

  private func importFiles(
    _ files: [ImportedFile], _ added: AddedObjects?, _ meter: ImportMeter, _ store: DynamicStore,
    _ context: Context
  ) throws -> (records: Int, counts: ImportCounts) {
    let names = files.map(\.syntax.className.text)
    let numbers = ImportedNumbers(
      classes: Set(names.compactMap { store.schema.classSchema(named: $0)?.id }))
    var imports: [Importing] = []
    for file in files {
      try placing(at: file, context) {
        imports.append(try importFile(file, (numbers, added), meter, store, context))
      }
    }
    numbers.isComplete = true
    var all = (records: 0, counts: ImportCounts())
    for (index, file) in files.enumerated() {
      try placing(at: file, context) {
        try imports[index].settle { try context.checkInterruption(file.syntax.path.span) }
      }
      all.records += imports[index].count
      all.counts.add(imports[index].counts)
    }
    return all
  }

  private func opened(_ syntax: ImportSyntax, _ context: Context) throws -> ImportedFile {
    do {
      return try ImportedFile(syntax) { !context.shell.interruption.isRequested }
    } catch {
      try context.checkInterruption(syntax.path.span)
      throw context.failure(
        .cannotRead(path: syntax.path.text, reason: error.reason),
        at: syntax.path.span)
    }
  }

  private func importFile(
    _ file: ImportedFile, _ known: (numbers: ImportedNumbers, added: AddedObjects?),
    _ meter: ImportMeter, _ store: DynamicStore, _ context: Context
  ) throws -> Importing {
    let name = file.syntax.className
    guard let classSchema = store.schema.classSchema(named: name.text), classSchema.isDeclared
    else { throw unknownClass(name, store, context) }
    if file.syntax.updates, classSchema.primaryKey == nil {
      throw context.failure(.library(.noPrimaryKey(className: name.text)), at: name.span)
    }
    var importing = Importing(
      file: file.name, store: store,
      ColumnPlan(classSchema, file.columns, isInferred: file.inferred != nil),
      updates: file.syntax.updates, known)
    var reader = try file.reader(for: classSchema)
    try importing.run(&reader) { count, progress in
      try context.checkInterruption(file.syntax.path.span)
      meter.note(count, of: file, progress)
    }
    return importing
  }
}
