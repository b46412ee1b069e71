import Herald

/// What became of objects from one version to another, for output.
struct ObjectOutput {
  private let before: DynamicStore
  private let after: DynamicStore
  private let projection: ProjectionDefinition?
  private let context: Context
  private let listChange: (PropertyID, ObjectID) -> ChangeSet?

  /// - Parameters:
  ///   - projection: The projection through which the objects are seen.
  ///   - listChange: How a list of an object changed, by rows; nil if that is not known.
  init(
    before: DynamicStore, after: DynamicStore, through projection: ProjectionDefinition? = nil,
    _ context: Context,
    listChange: @escaping (PropertyID, ObjectID) -> ChangeSet? = { _, _ in nil }
  ) {
    self.before = before
    self.after = after
    self.projection = projection
    self.context = context
    self.listChange = listChange
  }

  /// What became of objects of a class: the inserted, the modified and the deleted ones by number.
  func changes(of objects: [ObjectNumber], in classID: ClassID) throws -> [CommitText.Change] {
    let (old, new) = (before.schema.classSchema(classID), after.schema.classSchema(classID))
    guard let classSchema = new ?? old else { return [] }
    var inserted: [CommitText.Change] = []
    var modified: [CommitText.Change] = []
    var deleted: [CommitText.Change] = []
    for number in Set(objects).sorted() {
      if context.shell.interruption.isRequested { throw HeraldError.interrupted }
      let object = ObjectID(classID, number)
      func change(_ change: CommitVersions.Change) throws -> CommitText.Change {
        try self.change(object, of: classSchema, change)
      }
      switch (isShown(object, in: before), isShown(object, in: after)) {
      case (false, true) where projection != nil:
        inserted.append(
          projected(after.label(of: object), .inserted(try shown(object, after))))
      case (true, false) where projection != nil:
        deleted.append(projected(before.label(of: object), .deleted(try shown(object, before))))
      case (true, true) where projection != nil:
        let fields = try modifications(of: object)
        if !fields.isEmpty {
          modified.append(projected(after.label(of: object), .modified(fields)))
        }
      case (false, true): inserted.append(try change(.inserted))
      case (true, false): deleted.append(try change(.deleted))
      case (true, true):
        let properties = try differing(classSchema, of: object)
        if !properties.isEmpty { modified.append(try change(.modified(properties))) }
      case (false, false): break
      }
    }
    return inserted + modified + deleted
  }

  /// Whether a version has an object, and the projection through which it is seen.
  private func isShown(_ id: ObjectID, in store: DynamicStore) -> Bool {
    guard store.object(id) != nil else { return false }
    guard let projection else { return true }
    return store.schema.projection(named: projection.name)?.className
      == store.schema.classSchema(id.classID)?.name
  }

  /// Whether what the projection shows of an object that both versions have differs.
  func differs(_ object: ObjectID) throws -> Bool {
    if context.shell.interruption.isRequested { throw HeraldError.interrupted }
    return try !modifications(of: object).isEmpty
  }

  /// The fields of the projection that differ.
  private func modifications(of object: ObjectID) throws -> [CommitText.Modification] {
    let (old, new) = (try shown(object, before), try shown(object, after))
    return new.compactMap { field in
      let value = old.first { $0.name == field.name }?.value ?? .plain(.null)
      return value == field.value
        ? nil : CommitText.Modification(name: field.name, old: value, new: field.value)
    }
  }

  /// What the projection, as it is in a version, shows of an object.
  private func shown(_ id: ObjectID, _ store: DynamicStore) throws -> [OutputValue.Field] {
    guard let name = projection?.name, isShown(id, in: store), let object = store.object(id)
    else { return [] }
    return try context.session.reading(store).fields(store.projection(name, of: object))
  }

  private func projected(_ label: ObjectLabel, _ kind: CommitText.Change.Kind) -> CommitText.Change
  {
    CommitText.Change(label, kind, through: projection?.name)
  }

  /// The properties whose values differ.
  private func differing(
    _ classSchema: ClassSchema, of object: ObjectID
  ) throws -> [PropertySchema] {
    let properties = classSchema.properties.filter { !$0.type.isBacklinks }
    let old = try contents(properties, of: object, context.session.reading(before))
    let new = try contents(properties, of: object, context.session.reading(after))
    return properties.indices.filter { old[$0].value != new[$0].value }.map { properties[$0] }
  }

  func change(_ change: CommitVersions.ObjectChange) throws -> CommitText.Change {
    try self.change(change.object, of: change.classSchema, change.change)
  }

  private func change(
    _ object: ObjectID, of classSchema: ClassSchema, _ change: CommitVersions.Change
  ) throws -> CommitText.Change {
    let earlier = context.session.reading(before)
    let later = context.session.reading(after)
    switch change {
    case .inserted:
      let fields = try contents(
        classSchema.properties.filter { !$0.type.isBacklinks }, of: object, later)
      return CommitText.Change(after.label(of: object), .inserted(fields))
    case .deleted:
      let previous = before.schema.classSchema(object.classID) ?? classSchema
      let fields = try contents(
        previous.properties.filter { !$0.type.isBacklinks }, of: object, earlier)
      return CommitText.Change(before.label(of: object), .deleted(fields))
    case .altered(let names):
      let old = try contents(named: names, of: object, earlier)
      let new = try contents(named: names, of: object, later)
      return CommitText.Change(
        after.label(of: object),
        .modified(
          zip(old, new).map { old, new in
            CommitText.Modification(name: new.name, old: old.value, new: new.value)
          }))
    case .modified(let properties):
      let old = try contents(properties, of: object, earlier)
      let new = try contents(properties, of: object, later)
      return CommitText.Change(
        after.label(of: object),
        .modified(
          properties.indices.map { index in
            let property = properties[index]
            return CommitText.Modification(
              name: new[index].name, old: old[index].value, new: new[index].value,
              rows: property.type.shape == .list ? listChange(property.id, object) : nil)
          }))
    }
  }

  /// The values of properties by their names; one that the version lacks is nil.
  private func contents(
    named names: [String], of id: ObjectID, _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    let fields = try session.store?.object(id).map { try session.fields($0) } ?? []
    return names.map { name in fields.first { $0.name == name } ?? OutputValue.Field(name, .null) }
  }

  /// The values of properties, as `show` has them; a property that the version lacks is nil.
  private func contents(
    _ properties: [PropertySchema], of id: ObjectID, _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    let object = session.store?.object(id)
    let fields = try object.map { try session.fields($0) } ?? []
    let classSchema = try object?.classSchema
    return properties.map { property in
      let index = classSchema?.order(of: property.id)
      return OutputValue.Field(
        name: property.name, value: index.map { fields[$0].value } ?? .plain(.null))
    }
  }
}
