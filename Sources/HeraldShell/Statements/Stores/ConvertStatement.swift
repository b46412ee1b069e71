import Glibc
import Herald

/// `convert to app.hdb`, `convert to app.json`, `convert to app.csv`: makes a store, a file of JSON or a folder of CSV of the
/// open store, which mostly is a Realm file.
struct ConvertStatement: StatementForm {
  static let command = Command(
    "convert", ["convert to PATH | FILE.json | FOLDER.csv"],
    "make a store, JSON or CSV of all objects",
    [
      "A new store, or a file with an array of objects for each class if the name ends in .json, or a new folder "
        + "with a file for each class if it ends in .csv. There must be nothing at PATH. Of an open Realm file, which "
        + "itself is never written, what cannot be read is an error, and the rest is converted with --keep-going."
    ], examples: ["convert to pets.json"], parse: Self.init)

  let target: Name

  init(_ target: Name) { self.target = target }

  init(_ parser: inout StatementParser) throws(ShellError) {
    try parser.take("to")
    target = try parser.path()
  }

  /// What cannot be read of a Realm file does not keep the rest from being converted.
  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    let path = target.text
    try checkIsFree(context)
    var losses: [RealmLoss] = []
    let classes: [ClassSchema]
    let objects: Int
    do {
      let store: DynamicStore
      if path.hasSuffix(".json") {
        store = try read(context, &losses)
        try writeJSON(try names(in: store), context)
      } else if path.hasSuffix(".csv") {
        store = try read(context, &losses)
        try writeCSV(try names(in: store), context)
      } else if let file = context.shell.realmFile {
        (store, losses) = try DynamicStore.converting(
          file.source, to: path, interruption: context.shell.interruption)
      } else {
        store = try context.store
        try store.backup(to: path)
      }
      classes = store.schema.classes.filter(\.isDeclared)
      objects = try classes.reduce(0) { try $0 + (store.results(of: $1)?.count ?? 0) }
    } catch let error as HeraldError where error != .interrupted {
      throw context.failure(.opening(error, path: path), at: target.span)
    }
    context.emit(
      .report(
        [
          "converted \(objects) object\(objects == 1 ? "" : "s") of \(classes.count) "
            + "class\(classes.count == 1 ? "" : "es") to \(path)"
        ],
        .map([
          OutputValue.Field("file", .string(path)), OutputValue.Field("objects", .int(objects)),
          OutputValue.Field("classes", .int(classes.count)),
        ])))
    guard let file = context.shell.realmFile else { return }
    for loss in losses {
      let failure = Diagnostic.realmLoss(path: file.source.path, first: loss.text, more: 0)
      context.shell.report(context.failure(failure, at: context.span))
    }
  }

  /// The open store, with all objects.
  private func read(_ context: Context, _ losses: inout [RealmLoss]) throws -> DynamicStore {
    let store = try context.store
    if let file = context.shell.realmFile {
      losses = try file.load(nil, context.shell.interruption)
      try store.refresh()
    }
    return store
  }

  /// The classes that may have objects which are no parts of others.
  private func names(in store: DynamicStore) throws -> [String] {
    try store.schema.classes.filter { $0.isDeclared && !$0.isEmbedded }
      .filter { try store.results(of: $0) != nil }.map(\.name)
  }

  /// Throws `cannotOpen` if there is anything at the path, which is never replaced.
  func checkIsFree(_ context: Context) throws {
    var status = stat()
    if lstat(target.text, &status) == 0 { throw failure(EEXIST, context) }
  }

  private func failure(_ code: Int32, _ context: Context) -> ShellError {
    let error = HeraldError.cannotOpen(path: target.text, reason: String(cString: strerror(code)))
    return context.failure(.opening(error, path: target.text), at: target.span)
  }

  private func writeJSON(_ names: [String], _ context: Context) throws {
    try context.writeFile(target) { file in
      try file.write("{")
      for (index, name) in names.enumerated() {
        try file.write((index == 0 ? "\n" : ",\n") + name.quoted + ": ")
        try write(name, .array, to: file, context)
      }
      try file.write("\n}\n")
    }
  }

  private func writeCSV(_ names: [String], _ context: Context) throws {
    guard mkdir(target.text, 0o777) == 0 else { throw failure(errno, context) }
    let paths = names.map { "\(target.text)/\($0).csv" }
    do {
      for (name, path) in zip(names, paths) {
        try context.writeFile(Name(text: path, span: target.span)) { file in
          try write(name, .csv, to: file, context)
        }
      }
    } catch {
      // A part of a folder would look like the whole.
      for path in paths { unlink(path) }
      rmdir(target.text)
      throw error
    }
  }

  /// Writes the objects of a class as `export` does.
  private func write(
    _ className: String, _ format: ExportFormat, to file: OutputFile, _ context: Context
  ) throws {
    let name = Name(text: className, span: context.span)
    let objects = try context.store.objects(className).objects
    try RowExport.objects(objects, of: .className(name), format, context)
      .write(to: file, context.span, context)
  }
}
