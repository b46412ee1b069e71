import Herald

extension RowExport {
  /// The rows of what is no collection of objects: of a projection, or of values; nil for anything else.
  static func rows(
    of resolved: Resolved, _ format: ExportFormat, _ context: Context
  ) throws -> (rows: RowExport, what: String)? {
    if case .results(let results) = resolved, let rows = try projected(results, format) {
      return (rows, "row")
    }
    return try values(of: resolved, format, context).map { ($0, "value") }
  }

  /// The rows of results of a projection, with its fields; nil for others.
  private static func projected(
    _ results: DynamicResults, _ format: ExportFormat
  ) throws -> RowExport? {
    guard let projection = results.projection else { return nil }
    let objects = try results.objects
    let rows = Rows.columns(projection.fields.map(\.name), count: objects.count) { row in
      guard let seen = try results.projected(objects[row]) else { return [] }
      return try seen.names.map { name in try seen.collection(name)?.value ?? seen.value(name) }
    }
    return RowExport(rows, of: results.store, format)
  }

  /// The rows of a collection of values: a column `value`, and of a map `key` before it; nil for anything else.
  private static func values(
    of resolved: Resolved, _ format: ExportFormat, _ context: Context
  ) throws -> RowExport? {
    var keys: [String]?
    let values: [Value]
    switch resolved {
    case .elements(let elements): values = try elements.values
    case .collection(let collection) where collection.property.type.linkedClass == nil:
      keys = collection.isMap ? collection.keys : nil
      values = collection.values
    case .value(.map(let entries)):
      keys = entries.inKeyOrder.map(\.key)
      values = entries.inKeyOrder.map(\.value)
    case .values, .value(.list):
      values = resolved.list ?? []
      if values.contains(where: \.leadsToObjects) { return nil }
    case .value, .object, .newObject, .collection, .results, .projection: return nil
    }
    let names = (keys == nil ? [] : ["key"]) + ["value"]
    let rows = Rows.columns(names, count: values.count) { row in
      (keys.map { [.string($0[row])] } ?? []) + [values[row]]
    }
    return RowExport(rows, of: try resolved.store ?? context.store, format)
  }

  static func objects(
    _ objects: [ObjectHandle], of origin: QuerySyntax.Origin?, _ format: ExportFormat,
    _ context: Context
  ) throws -> RowExport {
    let store = try objects.first?.store ?? context.store
    let classSchema = try classSchema(of: origin, objects, context)
    let numbered = try linked(objects, of: classSchema, context)
    return RowExport(.objects(objects, classSchema, numbered: numbered), of: store, format)
  }

  /// The class of the exported objects, known even if there are none.
  private static func classSchema(
    of origin: QuerySyntax.Origin?, _ objects: [ObjectHandle], _ context: Context
  ) throws -> ClassSchema? {
    if let first = objects.first { return try first.classSchema }
    guard case .className(let name)? = origin else { return nil }
    return try context.store.schema.classSchema(named: name.text)
  }

  /// The objects without a primary key that others link to, which are exported with their numbers.
  private static func linked(
    _ objects: [ObjectHandle], of classSchema: ClassSchema?, _ context: Context
  ) throws -> Set<ObjectID> {
    guard let store = objects.first?.store, let classSchema, classSchema.primaryKey == nil,
      !classSchema.isEmbedded
    else { return [] }
    let (tail, _) = try QueryParser.parseTail(Array("where @links.@count > 0".utf8), from: 0)
    let names = Names(context.shell, context.scope, context.session, store, context.source)
    let linked = try store.results(classSchema.name, tail, names: names).objects.map(\.id)
    if linked.isEmpty { return [] }
    return Set(linked).intersection(objects.map(\.id))
  }
}
