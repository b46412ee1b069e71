import Glibc
import Herald

extension Interpreter {
  /// Makes a store, a file of JSON or a folder of CSV of a file of the documented system: `herald convert FILE to TARGET`.
  /// What cannot be read is an error each; the rest is converted.
  package func convert(file path: String, key: String?, to target: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    do {
      let key = try key.map { try OpenRealmFile.key(inFile: File.expanded($0)) }
      let target = File.expanded(target)
      try checkIsFree(target)
      let realm = try RealmSource(path: File.expanded(path), key: key)
      let store = interruptible(try DynamicStore(sizeLimit: options.sizeLimit))
      store.writeLimit = .max
      let losses = try realm.lostClasses + store.load(realm)
      main.store = store
      let context = Context(self, source, main)
      try write(store, realm, to: target, context)
      let objects = try realm.definitions.reduce(0) { try $0 + store.objects($1.name).count }
      emit(
        .report(
          [
            "converted \(objects) object\(objects == 1 ? "" : "s") of \(realm.definitions.count) "
              + "class\(realm.definitions.count == 1 ? "" : "es") to \(target)"
          ],
          .map([
            OutputValue.Field("file", .string(target)), OutputValue.Field("objects", .int(objects)),
            OutputValue.Field("classes", .int(realm.definitions.count)),
          ])))
      for loss in losses {
        report(
          located(
            Diagnostic.realmLoss(path: realm.path, first: loss.text, more: 0), source, noSpan))
      }
    } catch let error as HeraldError {
      report(located(Diagnostic.opening(error, path: nil), source, noSpan))
    } catch {
      let failure = located(error, source, noSpan)
      if failure.diagnostic != .interrupted { note(exitStatus: 4) }
      report(failure)
    }
    output.flush()
  }

  private func write(
    _ store: DynamicStore, _ source: RealmSource, to target: String, _ context: Context
  ) throws {
    if target.hasSuffix(".json") {
      // Embedded objects are parts of their owners.
      let definitions = source.definitions.filter { !$0.isEmbedded }
      return try context.writeFile(Name(text: target, span: context.span)) { file in
        try file.write("{")
        for (index, definition) in definitions.enumerated() {
          try file.write((index == 0 ? "\n" : ",\n") + definition.name.quoted + ": ")
          try write(definition, .array, to: file, context)
        }
        try file.write("\n}\n")
      }
    }
    if target.hasSuffix(".csv") {
      guard mkdir(target, 0o777) == 0 else {
        throw HeraldError.cannotOpen(path: target, reason: String(cString: strerror(errno)))
      }
      let definitions = source.definitions.filter { !$0.isEmbedded }
      let paths = definitions.map { "\(target)/\($0.name).csv" }
      do {
        for (definition, path) in zip(definitions, paths) {
          try context.writeFile(Name(text: path, span: context.span)) { file in
            try write(definition, .csv, to: file, context)
          }
        }
      } catch {
        // A part of a folder would look like the whole.
        for path in paths { unlink(path) }
        rmdir(target)
        throw error
      }
      return
    }
    try store.backup(to: target)
  }

  /// Throws `cannotOpen` if there is anything at the path, which is never replaced.
  private func checkIsFree(_ target: String) throws {
    var status = stat()
    if lstat(target, &status) == 0 {
      throw HeraldError.cannotOpen(path: target, reason: String(cString: strerror(EEXIST)))
    }
  }

  /// Writes the objects of a class as `export` does.
  private func write(
    _ definition: ClassDefinition, _ format: ExportFormat, to file: OutputFile, _ context: Context
  ) throws {
    let name = Name(text: definition.name, span: context.span)
    let objects = try context.store.objects(definition.name).objects
    try RowExport.objects(objects, of: .className(name), format, context)
      .write(to: file, context.span, context)
  }
}
