import Herald

/// An `import … live`: adds the objects of lines as these come, those that came meanwhile in one transaction.
///
/// A class that does not exist is inferred from the first lines. What cannot be added is counted, and the rest goes on.
final class LiveImport {
  /// How long the first lines are waited for, after one of them, to infer a class from them: a line is committed at most
  /// 50 ms after it came.
  private static let inferencePause = Duration.milliseconds(35)
  /// The number of lines from which a class is inferred at once.
  private static let enoughLines = 2_000
  /// The number of lines that are named at most, of those that cannot be added.
  private static let mostNamed = 100

  private let statement: ImportStatement
  var syntax: ImportSyntax
  let context: Context
  private let source: LineSource
  /// The number of lines that are left to skip.
  private var skippedLines: Int
  /// The number of lines to skip at the start of a file.
  private let skippedAtStart: Int
  /// What the statement says of the delimiter and the columns, and what was inferred of all columns so far.
  let delimiter: UInt8?
  var allColumns: ColumnChoice
  /// Whether the header has columns for which the class has no properties.
  var hasNewColumns = false
  /// Whether a file begins with the names of its columns.
  private(set) var filesHaveHeaders = false
  /// Whether the input is a file that has replaced the first one, of which no record has come yet.
  private var isAtStart = false
  /// What stands before the lines of each batch: the header of CSV.
  var header: [UInt8] = []
  /// Lines that wait until there are enough to know their form.
  private var waiting: [UInt8] = []
  private var inferenceTime: ContinuousClock.Instant?
  /// The number of lines before those that are added next.
  private var lineCount = 0
  private var isFormKnown = false
  /// Whether the class was made from the first lines, so that others may add to it.
  private(set) var isInferred = false
  /// When the next objects expire, as of the last commit.
  private var expiry: Timestamp?
  private(set) var records = 0
  private(set) var badCount = 0
  private var counts = ImportCounts()

  /// Opens the input. Errors: `cannotRead`.
  init(_ statement: ImportStatement, _ context: Context) throws {
    self.statement = statement
    self.context = context
    syntax = statement.files[0]
    syntax.form.isByLine = true
    skippedLines = syntax.form.skippedLines
    skippedAtStart = skippedLines
    delimiter = syntax.form.delimiter
    allColumns = syntax.columns
    syntax.form.skippedLines = 0
    if let encoding = syntax.form.encoding, !encoding.hasLinesOfBytes {
      throw context.failure(
        .misplaced("encoding \(encoding.rawValue)", belongsTo: "import without live"),
        at: syntax.path.span)
    }
    let name = syntax.className
    let store = try context.store
    guard let classSchema = store.schema.classSchema(named: name.text), classSchema.isDeclared
    else {
      try store.schema.checkNameIsFree(ofProjectionOrQuery: name.text)
      isInferred = true
      source = try Self.source(syntax, context)
      return
    }
    if syntax.declares { throw context.failure(.library(.classExists(name.text)), at: name.span) }
    if syntax.updates, classSchema.primaryKey == nil {
      throw context.failure(.library(.noPrimaryKey(className: name.text)), at: name.span)
    }
    source = try Self.source(syntax, context)
  }

  private static func source(_ syntax: ImportSyntax, _ context: Context) throws -> LineSource {
    do throws(File.Failure) {
      return try LineSource(path: syntax.path.text)
    } catch {
      throw context.failure(
        .cannotRead(path: syntax.path.text, reason: error.reason), at: syntax.path.span)
    }
  }

  /// Becomes readable when more has come.
  var descriptor: Int32 { source.descriptor }
  /// Whether the input has ended, and all of it was added.
  var isOver: Bool { source.isAtEnd && waiting.isEmpty }
  /// Whether the class is there.
  var hasBegun: Bool { isFormKnown }

  /// When to call `takeLines` although nothing has come; nil for never.
  var deadline: ContinuousClock.Instant? {
    let expiry = expiry.map { ContinuousClock.now + Self.distance(to: $0) }
    let times = [inferenceTime, source.patience.map { .now + $0 }, expiry].compactMap(\.self)
    return times.min()
  }

  private static func distance(to time: Timestamp) -> Duration {
    let now = Timestamp.now
    return .seconds(time.seconds - now.seconds) + .nanoseconds(time.nanoseconds - now.nanoseconds)
  }

  /// Adds the objects of what has come, in one transaction.
  func takeLines() throws {
    let came: [UInt8]
    do throws(File.Failure) {
      came = try source.takeLines()
    } catch {
      throw context.failure(
        .cannotRead(path: syntax.path.text, reason: error.reason), at: syntax.path.span)
    }
    for _ in 0..<source.droppedCount { noteBad(line: nil, "a line has more than 16 MB") }
    if source.beginsAnew { try beginFile() }
    // Copied only at the start.
    let batch = LineBatch(waiting.isEmpty ? came : waiting + came)
    waiting = []
    if batch.count == 0 { return try deleteExpired() }
    if isFormKnown {
      guard isAtStart else { return try add(batch) }
      guard let begin = head(of: batch) else {
        waiting = batch.bytes
        return
      }
      (isAtStart, skippedLines) = (false, 0)
      lineCount += begin
      return try add(batch.dropFirst(begin))
    }
    guard try isReady(batch) else {
      if !source.isAtEnd { waiting = batch.bytes }
      return
    }
    inferenceTime = nil
    try begin(batch)
  }

  /// Says how many objects there are, and how many lines are none.
  func confirm() {
    if badCount > 0 {
      let more = badCount > Self.mostNamed ? "; the first \(Self.mostNamed) are named" : ""
      statement.remark(
        "\(syntax.path.text): \(badCount) line\(badCount == 1 ? "" : "s") could not be added\(more)",
        syntax.path.span, context)
    }
    context.confirm {
      syntax.updates
        ? counts.text : "imported \(records) object\(records == 1 ? "" : "s")"
    }
  }
}

// MARK: The first lines

extension LiveImport {
  private var comment: [UInt8] { syntax.form.dialect.comment }

  /// The lines that are records, or headers, of those behind what is skipped.
  func content(of batch: LineBatch) -> [Int] {
    (min(skippedLines, batch.count)..<batch.count).filter {
      batch.hasRecord($0, comment: comment)
    }
  }

  /// Whether the first lines are enough to begin with.
  private func isReady(_ batch: LineBatch) throws -> Bool {
    let lines = content(of: batch)
    guard !lines.isEmpty else { return false }
    if source.isAtEnd || !isInferred { return true }
    // A class is inferred from objects, before which a table has a header.
    let inferenceTime = inferenceTime ?? .now + Self.inferencePause
    self.inferenceTime = inferenceTime
    guard lines.count >= Self.enoughLines || inferenceTime <= .now else { return false }
    self.inferenceTime = nil
    return try dataBegin(batch) < batch.count
  }

  /// The number of lines before the first record, those of a header or skipped.
  func dataBegin(_ batch: LineBatch) throws -> Int {
    let reader = try reader(of: batch)
    guard reader.csv != nil else { return firstRecord(of: batch) }
    let headCount = (reader.namesDelimiter ? 1 : 0) + (syntax.form.hasHeader ? 1 : 0)
    let lines = content(of: batch).dropFirst(reader.commentCount + headCount)
    return lines.first ?? batch.count
  }

  func reader(of batch: LineBatch) throws -> ImportReader {
    try file(batch[firstRecord(of: batch)..<batch.count]).reader()
  }

  /// The first line of JSON or of a log, behind what a program may have printed before it; the first of all if there is
  /// none, which is the header of a table.
  private func firstRecord(of batch: LineBatch) -> Int {
    let lines = content(of: batch)
    let form = syntax.form
    guard !form.isCSV, form.log == nil else { return lines.first ?? 0 }
    let record = lines.first { line in
      batch[line..<line + 1].withUnsafeBufferPointer { bytes in
        let text = CellText.trimmed(bytes)
        return text.first == Byte.openBrace || LogForm(firstLine: text) != nil
      }
    }
    return record ?? lines.first ?? 0
  }

  /// Finds out the form of the lines, and the class if there is none, and adds the first objects.
  private func begin(_ batch: LineBatch) throws {
    let reader = try reader(of: batch)
    let begin = try dataBegin(batch)
    let formBefore = syntax.form
    var form = formBefore
    if let csv = reader.csv {
      form.isCSV = true
      form.delimiter = csv.dialect.delimiter
      filesHaveHeaders = form.hasHeader
      header = headerLine(batch, before: begin, reader.columns, csv.dialect.delimiter)
      form.hasHeader = true
    } else if let log = reader.log {
      form.log = log
    } else {
      form.isJSON = true
    }
    syntax.form = form
    isFormKnown = true
    if reader.csv == nil {
      for line in content(of: batch) where line < begin {
        noteBad(line: lineCount + line + 1, "it is of another form than the lines after it")
      }
    }
    let rest = batch.dropFirst(begin)
    lineCount += begin
    skippedLines = 0
    guard isInferred else { return try add(rest) }
    guard let file = try inferred(from: rest) else {
      // The form of these lines is that of no others.
      syntax.form = formBefore
      (isFormKnown, header) = (false, [])
      for line in 0..<rest.count where rest.hasRecord(line, comment: comment) {
        noteBad(line: lineCount + line + 1, "no class can be inferred from it")
      }
      lineCount += rest.count
      return
    }
    take(file.columns)
    try add(rest, declaring: file.inferred?.classes ?? [])
    statement.remark(on: file, context)
  }

  /// Infers the class from lines that can be read; nil if none can.
  private func inferred(from batch: LineBatch) throws -> ImportedFile? {
    let store = try context.store
    var lines = 0..<batch.count
    while !lines.isEmpty {
      let file = file(header + batch[lines])
      do {
        try file.infer(in: store)
        return file
      } catch let diagnostic as Diagnostic {
        guard case .importing(_, let position, let reason) = diagnostic else { throw diagnostic }
        let before = LineFailure(position, reason, header: header).line ?? 0
        lines =
          (1..<lines.count).contains(before)
          ? lines.lowerBound..<lines.lowerBound + before : lines.dropFirst()
      }
    }
    return nil
  }

  /// Adds the lines that are left of the last file, and begins one that replaced it.
  private func beginFile() throws {
    let last = LineBatch(waiting)
    waiting = []
    if !isFormKnown, !content(of: last).isEmpty, try dataBegin(last) < last.count {
      try begin(last)
    }
    (lineCount, skippedLines, isAtStart) = (0, skippedAtStart, true)
  }

  /// The line with the names of columns: that of the file, or one for a file that has none.
  func headerLine(
    _ batch: LineBatch, before begin: Int, _ names: [String], _ delimiter: UInt8
  ) -> [UInt8] {
    guard syntax.form.hasHeader else {
      let separator = String(UnicodeScalar(delimiter))
      return Array((names.joined(separator: separator) + "\n").utf8)
    }
    let line = (0..<begin).last { batch.hasRecord($0, comment: comment) }
    return line.map { Array(batch[$0..<$0 + 1]) } ?? []
  }

  func file(_ bytes: some Sequence<UInt8>) -> ImportedFile {
    ImportedFile(syntax, lines: MemorySource(Array(bytes)))
  }
}

// MARK: Adding

extension LiveImport {
  private func add(_ batch: LineBatch, declaring definitions: [ClassDefinition] = []) throws {
    try context.change { store in
      for definition in definitions { try store.declare(definition) }
      var start = 0
      var size = batch.count
      while start < batch.count {
        let lines = start..<min(batch.count, start + size)
        do {
          try add(batch, lines, store)
          start = lines.upperBound
          size = max(1, 2 * size)
        } catch let failure as LineFailure {
          if lines.count > 1 {
            // Those before the line are tried without it, then the line alone.
            size = failure.line.map { min(max(1, $0), lines.count - 1) } ?? lines.count / 2
          } else {
            if try !hasAddedProperties(for: batch[lines], store) || !addAlone(batch, lines, store) {
              noteBad(line: lineCount + start + 1, failure.reason)
            }
            start += 1
            size = 1
          }
        }
      }
    }
    lineCount += batch.count
    expiry = try context.store.nextExpiry
  }

  /// Lets the objects expire whose time has come, in a commit of their own.
  private func deleteExpired() throws {
    guard let due = expiry, due <= .now else { return }
    try context.change { _ in }
    expiry = try context.store.nextExpiry
  }

  private func addAlone(
    _ batch: LineBatch, _ line: Range<Int>, _ store: DynamicStore
  ) throws -> Bool {
    do {
      try add(batch, line, store)
      return true
    } catch is LineFailure { return false }
  }

  /// Adds the objects of some lines, all or none. Errors: `LineFailure`.
  private func add(_ batch: LineBatch, _ lines: Range<Int>, _ store: DynamicStore) throws {
    let name = syntax.className.text
    guard let classSchema = store.schema.classSchema(named: name), classSchema.isDeclared else {
      throw statement.unknownClass(syntax.className, store, context)
    }
    let file = file(header + batch[lines])
    let added = AddedObjects()
    let numbers = ImportedNumbers(classes: [classSchema.id])
    var importing = Importing(
      file: file.name, store: store,
      ColumnPlan(classSchema, syntax.columns, isInferred: isInferred),
      updates: syntax.updates, (numbers, added))
    do {
      var reader = try file.reader(for: classSchema)
      try importing.run(&reader) { _, _ in }
      numbers.isComplete = true
      try importing.settle {}
      // A record that goes on in the next line is none: the next line may come later.
      let least = lines.count { batch.hasRecord($0, comment: comment) }
      guard importing.count >= least || lines.count == 1 else { throw LineFailure(reason: "") }
    } catch let failure as LineFailure {
      added.remove(from: store)
      throw failure
    } catch let diagnostic as Diagnostic {
      guard case .importing(_, let position, let reason) = diagnostic else { throw diagnostic }
      added.remove(from: store)
      throw LineFailure(position, reason, header: header)
    }
    records += importing.count
    counts.add(importing.counts)
  }

  private func noteBad(line: Int?, _ reason: String) {
    badCount += 1
    guard badCount <= Self.mostNamed else { return }
    let position = line.map { "line \($0): " } ?? ""
    statement.remark(
      "\(syntax.path.text): \(position)\(reason)", syntax.path.span, context)
  }
}
