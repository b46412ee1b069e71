import Herald

/// Reads the rows of a watched collection for a table. It shows only what the observer is notified of, so
/// that the screen is never stale: with key paths these are the columns.
struct WatchedRows {
  /// A column that shows the value at a path from the row's object.
  private struct Path {
    var column: WatchPicture.Column
    var steps: [String]
    /// The number of links beyond the path's end up to which changes are observed.
    var reach: Int
  }

  private(set) var rows: RowReading
  private let session: ShellSession
  private var paths: [Path] = []
  /// The columns that the statement chose; nil if it chose none.
  private var chosen: (names: [String], columns: DynamicColumns)?
  /// Nil if the rows are plain values.
  private var classID: ClassID?

  /// The number of elements of a collection that a cell shows.
  private static let limit = 50

  /// - Parameter chosen: the columns of the statement, if it has any.
  init(
    _ rows: RowReading, _ syntax: ObserveSyntax, _ session: ShellSession,
    _ chosen: DynamicColumns? = nil
  ) {
    self.rows = rows
    self.session = session
    switch rows {
    case .results(let results): classID = results.classID
    case .collection(let collection): classID = collection.property.type.linkedClass
    case .elements, .groups, .histogram: classID = nil
    }
    if let chosen { self.chosen = (syntax.columns.map(\.name.text), chosen) }
    guard let classID, let store = session.store else { return }
    paths = Self.paths(syntax, from: classID, store.schema)
    guard self.chosen == nil, case .unrestricted = syntax.keyPaths, !isMap,
      let key = store.schema.classSchema(classID)?.primaryKey?.name
    else { return }
    keyName = key
    paths.removeAll { $0.steps == [key] }
  }

  /// The name of the primary key of the rows, which their labels show; empty if there is none.
  private(set) var keyName = ""

  /// The columns that the statement chose; nil if it chose none.
  var columnsOfStatement: DynamicColumns? { chosen?.columns }

  var columns: [WatchPicture.Column] {
    func columns(_ names: [String], _ areNumbers: [Bool]) -> [WatchPicture.Column] {
      zip(names, areNumbers).map {
        WatchPicture.Column(name: $0, isNumeric: $1, hasTexts: !$1)
      }
    }
    if let chosen { return columns(chosen.names, chosen.columns.areNumbers) }
    if case .groups(let groups) = rows { return columns(groups.names, groups.areNumbers) }
    if case .histogram(let histogram) = rows { return histogram.columns }
    guard classID == nil else { return paths.map(\.column) }
    return columns(["value"], [element?.isNumber ?? false])
  }

  /// The type of the values of a collection of values.
  private var element: ElementType? {
    switch rows {
    case .collection(let collection): collection.property.type.element
    case .elements(let elements): elements.collection.property.type.element
    case .results, .groups, .histogram: nil
    }
  }

  /// From now on, reads the state of which an observer was last notified.
  mutating func follow(_ rows: some ComputedRows) { self.rows = rows.reading }

  /// Follows what the columns read besides the rows.
  mutating func followColumns() throws {
    if let columns = try chosen?.columns.followed() { chosen?.columns = columns }
  }

  var hasLabels: Bool { classID != nil || isMap }

  var isMap: Bool { if case .collection(let collection) = rows { collection.isMap } else { false } }

  /// The number of rows, read again.
  var count: Int {
    get throws {
      switch rows {
      case .results(let results): try results.count
      case .collection(let collection): collection.isValid ? collection.count : 0
      case .elements(let elements):
        elements.collection.isValid ? try elements.values.count : 0
      case .groups(let groups): try groups.count
      case .histogram(let histogram): try histogram.fresh.present.rows.count
      }
    }
  }

  /// Reads rows from the observer's view, or from the collection if that is as cheap.
  func contents(of range: Range<Int>, _ token: ObservationToken?) throws -> [WatchTable.Content] {
    if case .histogram(let histogram) = rows {
      return histogram.present.rows[range].map(content)
    }
    if let objects = token?.objects(in: range) { return try objects.map(content) }
    if let groups = token?.groups(in: range) { return groups.map(content) }
    if case .elements(let elements) = rows {
      return try elements.values(in: range).map(content(of:))
    }
    return try freshContents(of: range)
  }

  /// The same rows, read again. Results are evaluated.
  func freshContents(of range: Range<Int>) throws -> [WatchTable.Content] {
    switch rows {
    case .results(let results):
      let objects = try results.objects
      return try range.clamped(to: 0..<objects.count).map { try content(objects[$0]) }
    case .collection(let collection):
      guard collection.isValid else { return [] }
      return try range.clamped(to: 0..<collection.count).map { try content(of: collection, at: $0) }
    case .elements(let elements):
      guard elements.collection.isValid else { return [] }
      let values = try elements.values
      return try values[range.clamped(to: 0..<values.count)].map(content(of:))
    case .groups(let groups):
      let rows = try groups.rows
      return rows[range.clamped(to: 0..<rows.count)].map(content)
    case .histogram(let histogram):
      let rows = try histogram.fresh.present.rows
      return rows[range.clamped(to: 0..<rows.count)].map(content)
    }
  }
}

// MARK: Rows

extension WatchedRows {
  private func content(of collection: LiveCollection, at row: Int) throws -> WatchTable.Content {
    let value = try collection[row]
    var content: WatchTable.Content
    if case .link(let id) = value, classID != nil, let object = session.store?.object(id) {
      content = try self.content(object)
    } else if classID != nil {
      content = WatchTable.Content(
        label: "nil", cells: columns.map { _ in Table.Cell(text: "nil", isNil: true) })
    } else {
      content = WatchTable.Content(cells: [cell(value)])
    }
    guard isMap else { return content }
    let key = collection.key(at: row).quoted
    content.label = classID == nil ? key : "\(key) \(content.label ?? "")"
    return content
  }

  private func content(of element: Value) throws -> WatchTable.Content {
    let values = try chosen?.columns.values(ofElement: element) ?? [element]
    return WatchTable.Content(cells: values.map(cell))
  }

  private func content(_ group: [Value]) -> WatchTable.Content {
    WatchTable.Content(cells: group.map(cell))
  }

  private func content(_ object: ObjectHandle) throws -> WatchTable.Content {
    if let chosen {
      let cells = try chosen.columns.values(of: object).map(cell)
      return WatchTable.Content(label: label(object), cells: cells)
    }
    return WatchTable.Content(
      label: LiteralText.text(object.label),
      cells: try paths.map { path in
        guard let text = try text(path.steps[...], of: object, path.reach) else {
          return Table.Cell(text: "nil", isNil: true)
        }
        return Table.Cell(text: text)
      })
  }

  /// `Dog#3`, `Card of Dog#3`
  private func label(_ object: ObjectHandle) -> String {
    let label = LiteralText.text(object.label)
    guard case .results(let results) = rows, let projection = results.projection else {
      return label
    }
    return "\(projection.name) of \(label)"
  }

  private func cell(_ value: Value) -> Table.Cell {
    Table.Cell(text: session.output(value).briefText, isNil: value.isNull)
  }

  /// The text of the value at a path; nil for nil.
  private func text(
    _ steps: ArraySlice<String>, of object: ObjectHandle, _ reach: Int
  ) throws -> String? {
    guard let name = steps.first,
      let property = try object.classSchema.property(named: name)
    else { return nil }
    let rest = steps.dropFirst()
    guard property.type.isCollection else {
      return try text(object.value(name), rest, reach, isBare: true)
    }
    let collection = try object.collection(name)
    var texts: [String] = []
    for row in 0..<min(collection.count, Self.limit) {
      let element = try text(collection[row], rest, reach, isBare: false) ?? "nil"
      texts.append(collection.isMap ? "\(collection.key(at: row).quoted): \(element)" : element)
    }
    if collection.count > Self.limit { texts.append("…") }
    let inner = texts.joined(separator: ", ")
    return collection.isMap ? "{\(inner)}" : "[\(inner)]"
  }

  private func text(
    _ value: Value, _ steps: ArraySlice<String>, _ reach: Int, isBare: Bool
  ) throws -> String? {
    if value.isNull { return nil }
    guard case .link(let id) = value, let object = session.store?.object(id) else {
      let output = session.output(value)
      return isBare ? output.briefText : LiteralText.text(output)
    }
    if !steps.isEmpty { return try text(steps, of: object, reach) }
    let classSchema = try object.classSchema
    guard classSchema.isEmbedded else { return LiteralText.text(object.label) }
    // An embedded object is shown as far as its changes are observed.
    guard reach > 0 else { return "{…}" }
    let fields = try classSchema.properties.filter { !$0.type.isBacklinks }.map { property in
      "\(property.name): \(try text([property.name], of: object, reach - 1) ?? "nil")"
    }
    return "{\(fields.joined(separator: ", "))}"
  }
}

extension LiveHistogram {
  /// The last one has bars, which are drawn of the numbers before it.
  fileprivate var columns: [WatchPicture.Column] {
    present.names.map { name in
      WatchPicture.Column(name: name, isNumeric: name != "value", hasTexts: name == "value")
    } + [WatchPicture.Column(name: "", isNumeric: false, hasTexts: false, isBar: true)]
  }
}

// MARK: Columns

extension WatchedRows {
  private static func paths(
    _ syntax: ObserveSyntax, from classID: ClassID, _ schema: Schema
  ) -> [Path] {
    switch syntax.keyPaths {
    case .unrestricted:
      paths("*", from: classID, schema).map { steps in
        path(steps, from: classID, schema, reach: syntax.depth ?? RowFilter.defaultDepth)
      }
    case .none: []
    case .paths(let names):
      names.flatMap { paths($0.text, from: classID, schema) }.map { steps in
        path(steps, from: classID, schema, reach: 0)
      }
    }
  }

  /// The paths that a key path names, as names.
  private static func paths(
    _ keyPath: String, from classID: ClassID, _ schema: Schema
  ) -> [[String]] {
    var reached: [(names: [String], end: ClassID?)] = [([], classID)]
    for step in keyPath.split(separator: ".") {
      reached = reached.flatMap { names, end in
        let properties = end.flatMap(schema.classSchema)?.properties ?? []
        return properties.filter {
          step == "*" ? !$0.type.isBacklinks : $0.name == step
        }.map { (names + [$0.name], $0.type.linkedClass) }
      }
    }
    return reached.map(\.names)
  }

  private static func path(
    _ steps: [String], from classID: ClassID, _ schema: Schema, reach: Int
  ) -> Path {
    var (end, isNumeric): (ClassID?, Bool) = (classID, true)
    var hasTexts = false
    for step in steps {
      guard let property = end.flatMap(schema.classSchema)?.property(named: step) else { break }
      end = property.type.linkedClass
      isNumeric =
        isNumeric && !property.type.isCollection && property.type.element.isNumber
        || isNumeric && end != nil && !property.type.isCollection
      let isEmbedded = end.flatMap(schema.classSchema)?.isEmbedded ?? false
      hasTexts =
        hasTexts || property.type.isCollection || property.type.element.hasTexts || isEmbedded
    }
    let column = WatchPicture.Column(
      name: steps.joined(separator: "."), isNumeric: isNumeric && end == nil, hasTexts: hasTexts)
    return Path(column: column, steps: steps, reach: reach)
  }
}

extension ElementType {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    case .bool, .string, .data, .date, .uuid, .objectID, .any, .link: false
    }
  }

  /// Whether a part of a value can be read.
  fileprivate var hasTexts: Bool {
    switch self {
    case .string, .data, .any: true
    case .bool, .int, .float, .double, .decimal, .date, .uuid, .objectID, .link: false
    }
  }
}
