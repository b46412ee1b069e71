import Herald

extension Context {
  /// Copies the store into a new file or, with a version, updates the backup that is at that version.
  func backup(to path: Name, since version: ExpressionSyntax?) throws {
    let store = try self.store
    let old = try version.map { try number(ofVersion: $0) }
    let made: Int
    do {
      made = try backup(store, to: path.text, since: old)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError {
      throw ShellError(.library(error), source, path.span)
    }
    confirm {
      old == nil
        ? "backed up version \(made) to \(path.text)"
        : "brought \(path.text) to version \(made)"
    }
  }

  private func backup(_ store: DynamicStore, to path: String, since old: Int?) throws -> Int {
    var shown = -1
    let show = { (progress: BackupProgress) in
      let percent = Int(progress.fraction * 100)
      guard percent != shown else { return }
      shown = percent
      shell.options.progress?(path, .percent(percent))
    }
    guard let old else { return try store.backup(to: path, progress: show) }
    return try store.backup(to: path, since: old, progress: show)
  }

  private func number(ofVersion expression: ExpressionSyntax) throws -> Int {
    if case .value(.int(let version)) = try resolve(expression) { return version }
    let text = source.text(expression.span)
    throw ShellError(.notAVersion(text), source, expression.span)
  }
}

extension Context {
  /// Compacts the store's file, and reports its size before and after.
  func compact(_ span: SourceSpan) throws {
    var shown = -1
    let sizes: StoreCompaction
    do {
      sizes = try store.compact { progress in
        let percent = Int(progress.fraction * 100)
        guard percent != shown else { return }
        shown = percent
        shell.options.progress?("compact", .percent(percent))
      }
    } catch {
      throw located(error, source, span)
    }
    emit(
      .report(
        [
          "compacted: \(ByteCount(sizes.before).text) before, \(ByteCount(sizes.after).text) now"
        ],
        .map([
          OutputValue.Field(name: "before", value: .plain(.int(sizes.before))),
          OutputValue.Field(name: "after", value: .plain(.int(sizes.after))),
        ])))
  }
}

extension Context {
  /// Checks the session's store, or the one in a file; throws if there are problems.
  func check(_ path: Name?, _ span: SourceSpan) throws {
    let problems: [String]
    if let path {
      problems = try self.problems(ofStoreAt: path)
    } else {
      problems = try store.check()
      try checkInterruption(span)
    }
    emit(problems: problems)
    guard problems.isEmpty else {
      throw ShellError(.problems(problems.count, path: path?.text), source, span)
    }
  }

  fileprivate func problems(ofStoreAt path: Name) throws -> [String] {
    do {
      return try DynamicStore.check(path: path.text, interruption: shell.interruption)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError {
      throw ShellError(.opening(error, path: nil), source, path.span)
    }
  }

  fileprivate func emit(problems: [String]) {
    let fields = [
      OutputValue.Field(name: "ok", value: .plain(.bool(problems.isEmpty))),
      OutputValue.Field(name: "problems", value: .list(problems.map { .plain(.string($0)) })),
    ]
    emit(.report(problems.isEmpty ? ["ok"] : problems, .map(fields)))
  }
}

extension Interpreter {
  /// Checks the store in a file, as a run of its own: problems determine the exit status and are not
  /// reported as an error.
  package func check(file path: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    let context = Context(self, source, main)
    do {
      let problems = try context.problems(ofStoreAt: Name(text: File.expanded(path), span: noSpan))
      context.emit(problems: problems)
      if !problems.isEmpty { note(exitStatus: Diagnostic.problems(0, path: nil).exitStatus) }
    } catch {
      report(located(error, source, noSpan))
    }
    output.flush()
  }
}

extension Context {
  /// The readers of the store, with the version that each holds, since when, and the bytes it keeps.
  func listReaders() throws {
    let readers = try store.readers
    emit(
      .report(
        readers.isEmpty ? ["no reader holds a version"] : readers.map(\.line),
        .list(readers.map(\.output))))
  }
}

extension StoreReader {
  fileprivate var line: String {
    let name = session.map { isFrozen ? "frozen by \($0)" : $0 } ?? "an unnamed reader"
    let time = since.map { " since \($0.iso8601)" } ?? ""
    return "process \(process), \(name): version \(version)\(time), keeps \(ByteCount(bytes).text)"
  }

  fileprivate var output: OutputValue {
    .map([
      OutputValue.Field(name: "process", value: .plain(.int(process))),
      OutputValue.Field(name: "session", value: .plain(session.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "version", value: .plain(.int(version))),
      OutputValue.Field(name: "since", value: .plain(since.map { .date($0) } ?? .null)),
      OutputValue.Field(name: "frozen", value: .plain(.bool(isFrozen))),
      OutputValue.Field(name: "bytes", value: .plain(.int(bytes))),
    ])
  }
}

/// A human-readable number of bytes.
struct ByteCount {
  let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  /// `3 bytes`, `12 KiB`, `1.5 GiB`: at most one digit behind the point, and none from ten on.
  var text: String {
    guard bytes >= 1024 else { return "\(bytes) byte\(bytes == 1 ? "" : "s")" }
    var (size, unit) = (Double(bytes) / 1024, 0)
    let units = ["KiB", "MiB", "GiB", "TiB"]
    while size >= 1024, unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
    let tenths = Int((size * 10).rounded())
    let number =
      tenths >= 100 || tenths % 10 == 0 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(units[unit])"
  }
}
