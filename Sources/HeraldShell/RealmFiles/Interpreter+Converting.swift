import Herald

extension Interpreter {
  /// Makes a store, a file of JSON or a folder of CSV of a file of the documented system: `herald convert FILE to TARGET`.
  /// What cannot be read is an error each; the rest is converted.
  package func convert(file path: String, key: String?, to target: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    let context = Context(self, source, main)
    let conversion = ConvertStatement(Name(text: File.expanded(target), span: noSpan))
    do {
      try conversion.checkIsFree(context)
      let key = try key.map { try OpenRealmFile.key(inFile: File.expanded($0)) }
      let (store, file) = try OpenRealmFile.open(
        File.expanded(path), key: key, sizeLimit: options.sizeLimit)
      main.store = interruptible(store)
      realmFile = file
      try conversion.run(in: context)
      for loss in file.source.lostClasses {
        let failure = Diagnostic.realmLoss(path: file.source.path, first: loss.text, more: 0)
        report(located(failure, source, noSpan))
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
}
