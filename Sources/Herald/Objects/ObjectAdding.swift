import HeraldEngine
import HeraldModel

/// One call of `add`: an object with all unmanaged objects that it links to, directly or indirectly.
final class ObjectAdding {
  /// The unmanaged objects that the content gathered last links to.
  @exclusivity(unchecked) var pending: [ObjectBase] = []
  /// The new objects as which values of the property that is gathered are stored, in order, and how many of them have been
  /// used: content that is gathered again has the same objects.
  @exclusivity(unchecked) private var parts: (made: [ObjectBase], used: Int) = ([], 0)
  /// Whether it can be used again: all that it added so far were objects alone.
  @exclusivity(unchecked) private(set) var isReusable = true
  /// The store, which outlives each call: a checked reference would count each use.
  private unowned(unsafe) let core: StoreCore
  let update: UpdatePolicy
  private var root: ObjectBase?
  /// The contents of an object alone; kept for its storage.
  @exclusivity(unchecked) private var contents: [NamedContent] = []
  private var entered: Set<ObjectIdentifier> = []
  /// Properties with links in a cycle, which are set when every object has been added.
  private var deferred: [(object: ObjectBase, property: ObjectTable.Property)] = []
  private var added: [(object: ObjectBase, isNew: Bool)] = []

  /// What embedded objects modify, of an update.
  private var modifiedParts = ModifiedParts()

  /// The properties of the root that an existing object gets; nil for all. Objects that are made of values in it have
  /// their own (`GivenValues`).
  private let given: Set<String>?

  init(_ core: StoreCore, _ update: UpdatePolicy, given: Set<String>? = nil) {
    self.core = core
    self.update = update
    self.given = given
  }

  /// Adds an object, after the objects that it links to. After an error none of them has been added.
  func add(_ root: ObjectBase, asEmbedded: Bool) throws -> ObjectID {
    isReusable = false
    if let id = try addAlone(root, asEmbedded: asEmbedded) {
      isReusable = true
      return id
    }
    self.root = root
    do {
      try addGraph(root, asEmbedded: asEmbedded)
      for (object, property) in deferred { try setDeferred(property, of: object) }
      for (object, _) in added { attachCollections(of: object) }
      for (object, _) in added {
        guard let binding = object._binding else { continue }
        binding.table.releaseLinks(of: object)
        if binding.table.needsPreparing { binding.table.prepare(object, binding) }
      }
    } catch {
      undo()
      throw error
    }
    guard let id = root.id else { throw HeraldError.objectNotAdded(root.nameOfClass) }
    return id
  }

  /// Adds an object that links to no new ones, as most do; returns nil, and adds nothing, if it does.
  private func addAlone(_ object: ObjectBase, asEmbedded: Bool) throws -> ObjectID? {
    let binding = try binding(of: object)
    let table = binding.table
    var contents = self.contents
    self.contents = []
    contents.reserveCapacity(table.properties.count)
    try table.appendContents(of: object, to: &contents, LinkEncoder(core, update, adding: self))
    guard pending.isEmpty else { return nil }
    let (id, isNew) = try insert(contents, binding, asEmbedded: asEmbedded, given, over: nil)
    contents.removeAll(keepingCapacity: true)
    self.contents = contents
    manage(object, binding, id, isNew: isNew)
    if table.hasCollections { attachCollections(of: object) }
    if table.mayLink { table.releaseLinks(of: object) }
    if table.needsPreparing { table.prepare(object, binding) }
    return id
  }

  /// One object on the way from the root, with the contents gathered so far.
  private struct Step {
    let object: ObjectBase
    let binding: ClassBinding
    /// The object of the store that it modifies.
    let modified: ObjectID?
    var contents: [NamedContent] = []
    var next = 0
    /// The objects that were made for values of the next property.
    var parts: [ObjectBase] = []
  }

  /// Returns the object as which a value is stored.
  func part(_ make: () -> ObjectBase) -> ObjectBase {
    if parts.used == parts.made.count { parts.made.append(make()) }
    parts.used += 1
    return parts.made[parts.used - 1]
  }

  private func addGraph(_ root: ObjectBase, asEmbedded: Bool) throws {
    let encoder = LinkEncoder(core, update, adding: self)
    entered.insert(ObjectIdentifier(root))
    let first = try step(root)
    var path = [first]
    steps: while var step = path.popLast() {
      while try !gather(&step, encoder) {
        let targets = pending.filter { entered.insert(ObjectIdentifier($0)).inserted }
        if !targets.isEmpty {
          path.append(step)
          for target in targets.reversed() { path.append(try self.step(target)) }
          continue steps
        }
        deferred.append((step.object, step.binding.table.properties[step.next]))
        step.next += 1
      }
      let isRoot = step.object === root
      try finish(step, asEmbedded: isRoot ? asEmbedded : step.object.isPart)
    }
  }

  /// Gathers an object's contents; returns false at a property that links to objects that are not added yet, which
  /// are then pending.
  private func gather(_ step: inout Step, _ encoder: LinkEncoder) throws -> Bool {
    let properties = step.binding.table.properties
    if step.contents.isEmpty { step.contents.reserveCapacity(properties.count) }
    while step.next < properties.count {
      let property = properties[step.next]
      if property.originProperty == nil {
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
        parts = (step.parts, 0)
        let content = try property.local.content(step.object, encoder)
        step.parts = pending.isEmpty ? [] : parts.made
        guard pending.isEmpty else {
          if let id = step.modified {
            modifiedParts.match(
              property, of: step.object, to: ManagedProperty(step.binding, id, property))
          }
          return false
        }
        if let content { step.contents.append((property.name, content)) }
      }
      step.next += 1
    }
    return true
  }

  private func step(_ object: ObjectBase) throws -> Step {
    let binding = try binding(of: object)
    guard update == .modified else {
      return Step(object: object, binding: binding, modified: nil)
    }
    let key = try binding.table.primaryKey.flatMap { key in
      try key.local.content(object, LinkEncoder(nil)).map { [(key.name, $0)] }
    }
    return Step(
      object: object, binding: binding,
      modified: try modifiedParts[object] ?? existing(key ?? [], binding))
  }

  /// The object of the store that a new one with some contents updates: that with its primary key.
  private func existing(
    _ contents: [NamedContent], _ binding: ClassBinding
  ) throws -> ObjectID? {
    guard update != .error, let key = binding.table.primaryKey,
      case .value(let value)? = contents.first(where: { $0.name == key.name })?.content,
      let classSchema = core.session.schema.classSchema(binding.classID)
    else { return nil }
    return try core.session.find(classSchema, key: value)
  }

  private func binding(of object: ObjectBase) throws -> ClassBinding {
    if let extra = object._extra, let observers = extra as? LocalObservers, observers.isObserved {
      throw HeraldError.hasObservers("the new \(type(of: object).className)")
    }
    return try object.binding(in: core)
  }

  private func finish(_ step: Step, asEmbedded: Bool) throws {
    var names = given
    if names != nil, step.object !== root {
      names = (step.object._extra as? GivenValues)?.names
    }
    let (id, isNew) = try insert(
      step.contents, step.binding, asEmbedded: asEmbedded, names, over: step.modified)
    manage(step.object, step.binding, id, isNew: isNew)
    added.append((step.object, isNew))
  }

  /// Adds the object to the store, or updates the one with its primary key.
  private func insert(
    _ contents: [NamedContent], _ binding: ClassBinding, asEmbedded: Bool, _ given: Set<String>?,
    over modified: ObjectID?
  ) throws -> (id: ObjectID, isNew: Bool) {
    if let existing = try modified ?? existing(contents, binding) {
      var contents = contents
      if let given { contents.removeAll { !given.contains($0.name) } }
      if update == .modified {
        try modify(existing, contents, binding)
      } else {
        try core.session.set(existing, contents)
      }
      return (existing, false)
    }
    let id = try core.session.add(
      to: binding.classID, named: binding.table.className, contents, asEmbedded: asEmbedded)
    return (id, true)
  }

  /// Sets the properties of an existing object that differ; of collections of embedded objects, which have been modified
  /// themselves, those that are new or left are added and removed.
  private func modify(
    _ id: ObjectID, _ contents: [NamedContent], _ binding: ClassBinding
  ) throws {
    var others: [NamedContent] = []
    for content in contents {
      guard let property = binding.table.property(named: content.name),
        let edits = ModifiedParts.edits(
          of: ManagedProperty(binding, id, property), property, to: content.content)
      else {
        others.append(content)
        continue
      }
      for edit in edits {
        try core.session.change(ManagedProperty(binding, id, property).schema, of: id, edit)
      }
    }
    try core.session.modify(id, others)
  }

  private func manage(
    _ object: ObjectBase, _ binding: ClassBinding, _ id: ObjectID, isNew: Bool
  ) {
    object._binding = binding
    object._number = id.number
    if isNew { binding.noteAdded(object) }
  }

  /// Makes the collections of an added object the store's.
  private func attachCollections(of object: ObjectBase) {
    guard let binding = object._binding, binding.table.hasCollections else { return }
    for property in binding.table.properties where property.definition.shape != .single {
      property.local.value(object)._attach(
        to: ManagedProperty(binding, property.slot, object._number).reference)
    }
  }

  private func setDeferred(_ property: ObjectTable.Property, of object: ObjectBase) throws {
    guard let id = object.id,
      let content = try property.local.content(object, LinkEncoder(core, update))
    else { return }
    try core.session.set(id, [(property.name, content)])
  }

  private func undo() {
    for (object, isNew) in added.reversed() {
      if isNew, let id = object.id { try? core.session.delete(id) }
      object._binding = nil
      object._extra = nil
      object._number = 0
    }
  }
}
