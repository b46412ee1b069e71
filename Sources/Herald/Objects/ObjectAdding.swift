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

  /// Adds an object and the objects that it links to, in preorder. After an error none of them has been added.
  func add(_ root: ObjectBase, asEmbedded: Bool) throws -> ObjectID {
    isReusable = false
    if let id = try addAlone(root, asEmbedded: asEmbedded) {
      isReusable = true
      return id
    }
    self.root = root
    do {
      try addGraph(root, asEmbedded: asEmbedded)
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
    let (id, isNew) = try insert(
      contents, binding, asEmbedded: asEmbedded, given, over: existing(contents, binding))
    contents.removeAll(keepingCapacity: true)
    self.contents = contents
    manage(object, binding, id, isNew: isNew)
    if table.hasCollections { attachCollections(of: object) }
    if table.mayLink { table.releaseLinks(of: object) }
    if table.needsPreparing { table.prepare(object, binding) }
    return id
  }

  /// A property that links to objects which are added after its owner.
  private struct LinkingProperty {
    let property: ObjectTable.Property
    /// The objects that were made for its values.
    let parts: [ObjectBase]
    /// The objects to add, the first one last.
    var targets: [ObjectBase]

    /// Takes the next object that was not added meanwhile.
    mutating func nextTarget() -> ObjectBase? {
      while let target = targets.popLast() {
        if target._binding == nil { return target }
      }
      return nil
    }
  }

  /// An added object on the way from the root, whose links are set one after the other.
  private struct Step {
    let object: ObjectBase
    let binding: ClassBinding
    let id: ObjectID
    let isNew: Bool
    /// The properties that link to new objects, the first one last.
    var linking: [LinkingProperty]
  }

  /// Returns the object as which a value is stored.
  func part(_ make: () -> ObjectBase) -> ObjectBase {
    if parts.used == parts.made.count { parts.made.append(make()) }
    parts.used += 1
    return parts.made[parts.used - 1]
  }

  private func addGraph(_ root: ObjectBase, asEmbedded: Bool) throws {
    var path = [try addRow(of: root, asEmbedded: asEmbedded)]
    while var step = path.popLast() {
      guard var link = step.linking.popLast() else { continue }
      if let target = link.nextTarget() {
        step.linking.append(link)
        path.append(step)
        path.append(try addRow(of: target, asEmbedded: target.isPart))
      } else {
        let (content, _) = try content(of: link.property, step.object, link.parts)
        if let content { try set([(link.property.name, content)], of: step) }
        path.append(step)
      }
    }
  }

  /// Adds an object without what links to new objects, or finds the one of the store that it updates.
  private func addRow(of object: ObjectBase, asEmbedded: Bool) throws -> Step {
    let binding = try binding(of: object)
    var contents: [NamedContent] = []
    contents.reserveCapacity(binding.table.properties.count)
    var linking: [LinkingProperty] = []
    for property in binding.table.properties where property.originProperty == nil {
      let (content, parts) = try content(of: property, object, [])
      if !pending.isEmpty {
        linking.append(
          LinkingProperty(property: property, parts: parts, targets: pending.reversed()))
      } else if let content {
        contents.append((property.name, content))
      }
    }
    let known = try modifiedParts[object] ?? existing(contents, binding)
    if update == .modified, let known {
      for link in linking {
        modifiedParts.match(
          link.property, of: object, to: ManagedProperty(binding, known, link.property))
      }
    }
    let (id, isNew) = try insert(
      contents, binding, asEmbedded: asEmbedded, givenNames(of: object), over: known)
    manage(object, binding, id, isNew: isNew)
    added.append((object, isNew))
    return Step(object: object, binding: binding, id: id, isNew: isNew, linking: linking.reversed())
  }

  /// Returns what a property is set to, with the objects made for its values, of which some are given; objects that are to
  /// be added before are pending then.
  private func content(
    of property: ObjectTable.Property, _ object: ObjectBase, _ made: [ObjectBase]
  ) throws -> (PropertyContent?, parts: [ObjectBase]) {
    pending.removeAll(keepingCapacity: true)
    parts = (made, 0)
    let content = try property.local.content(object, LinkEncoder(core, update, adding: self))
    return (content, parts.made)
  }

  /// The properties that an existing object gets from one of the added; nil for all.
  private func givenNames(of object: ObjectBase) -> Set<String>? {
    object === root ? given : given.flatMap { _ in (object._extra as? GivenValues)?.names }
  }

  /// Sets properties of an added object, which may be one that it updates.
  private func set(_ contents: [NamedContent], of step: Step) throws {
    guard step.isNew else {
      return try updateExisting(
        step.id, contents, step.binding, givenNames(of: step.object))
    }
    try core.session.set(step.id, contents)
  }

  private func updateExisting(
    _ id: ObjectID, _ contents: [NamedContent], _ binding: ClassBinding, _ given: Set<String>?
  ) throws {
    var contents = contents
    if let given { contents.removeAll { !given.contains($0.name) } }
    if update == .modified {
      try modify(id, contents, binding)
    } else {
      try core.session.set(id, contents)
    }
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

  /// Adds an object to the store, or updates an existing one.
  private func insert(
    _ contents: [NamedContent], _ binding: ClassBinding, asEmbedded: Bool, _ given: Set<String>?,
    over existing: ObjectID?
  ) throws -> (id: ObjectID, isNew: Bool) {
    if let existing {
      try updateExisting(existing, contents, binding, given)
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

  private func undo() {
    for (object, isNew) in added.reversed() {
      if isNew, let id = object.id { try? core.session.delete(id) }
      object._binding = nil
      object._extra = nil
      object._number = 0
    }
  }
}
