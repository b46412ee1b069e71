import Herald

/// `import default.realm into Dog, Person`: the classes of a file of the documented system with their objects.
struct RealmImport {
  let path: Name
  /// Empty for all classes.
  private let classNames: [Name]
  private let key: Name?

  init(_ path: Name, _ parser: inout StatementParser) throws(ShellError) {
    self.path = path
    classNames = parser.takeIf("into") ? try parser.names("a class") : []
    key = parser.takeIf("key") ? try parser.path() : nil
  }

  func run(in context: Context) throws {
    let source: RealmSource
    do {
      let key = try key.map { try OpenRealmFile.key(inFile: $0.text) }
      source = try RealmSource(path: path.text, key: key)
    } catch let error as HeraldError {
      throw context.failure(.opening(error, path: path.text), at: path.span)
    }
    let known = source.definitions.map(\.name)
    for name in classNames where !known.contains(name.text) {
      throw context.failure(
        .unknownClassOfImport(name.text, nearest: nearestName(to: name.text, in: known)),
        at: name.span)
    }
    let names = classNames.isEmpty ? nil : Set(classNames.map(\.text))
    let lostClasses = source.lostClasses.filter { loss in
      names == nil || loss.className.map { names?.contains($0) == true } ?? true
    }
    let losses = try lostClasses + context.change { try $0.load(source, classes: names) }
    context.confirm {
      "imported \(known.count { names?.contains($0) ?? true }) classes of \(path.text)"
    }
    guard let first = losses.first else { return }
    let failure = context.failure(
      .realmLoss(path: path.text, first: first.text, more: losses.count - 1), at: path.span)
    context.shell.report(failure)
  }
}
