import Herald

/// A file of an `import` statement.
final class ImportedFile {
  let syntax: ImportSyntax
  private let input: ImportInput
  /// The form of the file, as far as it is known.
  private(set) var form: ImportForm
  /// What the statement says of the columns, and what was inferred.
  private(set) var columns: ColumnChoice
  /// The classes that the import declares.
  private(set) var inferred: InferredSchema?
  private(set) var isInferring = false
  /// Whether there is nothing in it, not even a header.
  private(set) var isEmpty = false

  /// The number of lines before the header that begin with `#`.
  private(set) var commentCount = 0
  /// Whether the header has, above each column of numbers or dates, another one.
  private(set) var hasHeaderLikeData = false

  /// - Parameter isWanted: Called while standard input is read.
  convenience init(_ syntax: ImportSyntax, isWanted: () -> Bool) throws(File.Failure) {
    let file = try FileSource.open(syntax.path.text, isWanted: isWanted)
    self.init(syntax, try ImportInput(file, encoding: syntax.form.encoding))
  }

  /// Some lines of a file that is imported live.
  convenience init(_ syntax: ImportSyntax, lines: MemorySource) {
    self.init(syntax, ImportInput(lines: lines, encoding: syntax.form.encoding))
  }

  private init(_ syntax: ImportSyntax, _ input: ImportInput) {
    self.syntax = syntax
    self.input = input
    form = syntax.form
    columns = syntax.columns
    let path = syntax.path.text
    if form.delimiter == nil, Self.isTabSeparated(path) { form.delimiter = Byte.tab }
    form.isJSON = form.isJSON || Self.isJSON(path)
    form.mayBeLog = Self.format(path) == nil && form.delimiter == nil
  }

  private static func isTabSeparated(_ path: String) -> Bool {
    let name = Unpacker.unpackedName(path).lowercased()
    return [".tsv", ".tab"].contains { name.hasSuffix($0) }
  }

  /// The format that the name of a file, compressed or not, says.
  private static func format(_ path: String) -> ExportFormat? {
    ExportFormat(path: Unpacker.unpackedName(path))
  }

  private static func isJSON(_ path: String) -> Bool {
    switch format(path) {
    case .array?, .lines?: true
    case .csv?, nil: false
    }
  }

  /// Whether the name of the file says that each line is an object, and a file without a byte has none.
  private var isOfLines: Bool { Self.format(name) == .lines }

  var name: String { syntax.path.text }

  /// A reader at the first record, of a file whose objects are of a class.
  func reader(for classSchema: ClassSchema) throws -> ImportReader {
    var form = form
    if inferred == nil {
      form.isWrapper = { [isOfLines] in !isOfLines && !classSchema.mayMean($0) }
      form.numbersDuplicate = { [columns] name in
        classSchema.property(forColumn: name) != nil || columns.names(name)
      }
    }
    return try reader(form)
  }

  /// A reader at the first record, of a file whose form is seen.
  func reader() throws -> ImportReader { try reader(form) }

  private func reader(_ form: ImportForm) throws -> ImportReader {
    do throws(JSONReader.Failure) {
      do throws(File.Failure) {
        try input.rewind()
      } catch { throw JSONReader.Failure(line: 1, reason: error.reason) }
      let reader = try ImportReader(input, form)
      isEmpty = reader.isEmpty && !isOfLines
      commentCount = reader.commentCount
      return reader
    } catch { throw diagnostic(error) }
  }

  private func diagnostic(_ failure: JSONReader.Failure) -> Diagnostic {
    .importing(file: name, position: "line \(failure.line)", reason: failure.reason)
  }

  /// Reads the whole file, and others of the same form, to infer the classes for them. Calls `progress` every 1,000
  /// records, with their number and the part of the file that has been read.
  func infer(
    with others: [ImportedFile] = [], isTaken: @escaping (String) -> Bool,
    _ progress: (Int, Double) throws -> Void
  ) throws {
    isInferring = true
    defer { isInferring = false }
    var reader = try readerToInfer()
    var inference = ColumnInference(className: syntax.className.text, columns)
    do {
      do {
        if let both = try HalfInference.run(reader, inference, progress) {
          inference = both
        } else {
          reader = try self.reader(form)
          try inference.run(&reader, progress)
        }
      } catch is JSONReader.Failure where reader.wrapper != nil {
        // The object is a record, which begins with a list.
        form.isWrapper = { _ in false }
        reader = try self.reader(form)
        inference = ColumnInference(className: syntax.className.text, columns)
        try inference.run(&reader, progress)
      }
    } catch let failure as JSONReader.Failure { throw diagnostic(failure) }
    for other in others { try other.add(to: &inference, columns: reader.columns, progress) }
    if let column = inference.missing(in: reader.columns) {
      throw Diagnostic.noColumn(
        column.shortened, file: name, nearest: nearestColumn(to: column, in: reader.columns))
    }
    guard !inference.columns.isEmpty else {
      throw Diagnostic.importing(
        file: name, position: "line 1", reason: "there is nothing to infer a class from")
    }
    let schema = InferredSchema(
      className: syntax.className.text, inference.columns, ofSome: form.isByLine,
      isTaken: isTaken)
    inferred = schema
    hasHeaderLikeData = schema.isLike(reader.columns, reader.headerKinds)
    columns = columns.naming(schema.columns)
    for other in others { other.columns = columns }
  }

  /// A reader of a file whose form is not known yet.
  private func readerToInfer() throws -> ImportReader {
    form.numbersDuplicate = { _ in true }
    form.isWrapper = { [isOfLines] _ in !isOfLines }
    return try reader(form)
  }

  /// Adds what the records of the file contain to what is known of others with these columns.
  private func add(
    to inference: inout ColumnInference, columns: [String],
    _ progress: (Int, Double) throws -> Void
  ) throws {
    var reader = try readerToInfer()
    guard KeySet(reader.columns) == KeySet(columns) else {
      let mine = KeySet(reader.columns)
      let column = columns.first { !mine.contains($0) }
      let other = column ?? reader.columns.first { !columns.contains($0) } ?? ""
      throw Diagnostic.importing(
        file: name, position: "line 1",
        reason: "the files have different columns: '\(other.shortened)' is not in all of them")
    }
    do {
      try inference.run(&reader, progress)
    } catch let failure as JSONReader.Failure { throw diagnostic(failure) }
  }
}
