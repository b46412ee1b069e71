import HeraldModel
import HeraldQuery

/// Who cares for which changes: from what a record can hold to the watches and observers concerned,
/// so that those with nothing to hear cost nothing.
struct Interest {
  /// Of one class; a reference, since it is handed along at each record.
  final class ClassInterest {
    /// Paths that step over the property.
    var properties: [PropertyID: [PathWatch]] = [:]
    /// Paths that step backwards to objects of the class: their creation and deletion count.
    var origins: [PathWatch] = []
    /// Collections whose rows reach the class: any property counts.
    var deep: [DeepWatch] = []
    /// Results over the class: creation and deletion count.
    var rows = ObserverList()
    /// Likewise, of which only some are concerned.
    var groups: [FilterGroup.Key: FilterGroup] = [:]
    /// Observed objects.
    var objects: [ObjectNumber: ObservedObject] = [:]
    /// Observed collections, and results of such, by the object that holds them.
    var collections = ObserversByObject()
    /// Observed backlinks through a property of the class, by the object that is linked to.
    var backlinks: [PropertyID: ObserversByObject] = [:]
    /// Observed properties, by object.
    var observedProperties = ObserversByObject()
  }

  private(set) var classes: [ClassID: ClassInterest] = [:]
  private(set) var paths: [PropertyPath: PathWatch] = [:]
  private(set) var deep: [DeepWatch.Key: DeepWatch] = [:]
  /// Those that were asked about records, and may remember answers.
  private var asked: (paths: [PathWatch], deep: [DeepWatch]) = ([], [])

  /// What is noted for a class, begun where there was nothing.
  private mutating func interest(in classID: ClassID) -> ClassInterest {
    if let known = classes[classID] { return known }
    let new = ClassInterest()
    classes[classID] = new
    return new
  }

  // MARK: Watches

  /// What stands inside a property is watched with the whole of it.
  mutating func watch(_ path: PropertyPath) -> PathWatch {
    let path = path.withoutPlaces
    if let watch = paths[path] {
      watch.uses += 1
      return watch
    }
    let watch = PathWatch(path)
    watch.uses = 1
    enter(watch)
    return watch
  }

  mutating func release(_ watch: PathWatch) {
    watch.uses -= 1
    if watch.uses == 0 { leave(watch) }
  }

  private mutating func enter(_ watch: PathWatch) {
    paths[watch.path] = watch
    for trigger in watch.path.triggers {
      interest(in: trigger.classID).properties[trigger.property, default: []].append(watch)
    }
    for origin in watch.path.origins {
      interest(in: origin).origins.append(watch)
    }
  }

  private mutating func leave(_ watch: PathWatch) {
    paths[watch.path] = nil
    for trigger in watch.path.triggers {
      classes[trigger.classID]?.properties[trigger.property]?.removeAll { $0 === watch }
    }
    for origin in watch.path.origins { classes[origin]?.origins.removeAll { $0 === watch } }
  }

  mutating func watch(_ key: DeepWatch.Key, _ schema: Schema) -> DeepWatch {
    if let watch = deep[key] {
      watch.uses += 1
      return watch
    }
    let watch = DeepWatch(key, schema)
    watch.uses = 1
    deep[key] = watch
    enter(watch)
    return watch
  }

  mutating func release(_ watch: DeepWatch) {
    watch.uses -= 1
    guard watch.uses == 0 else { return }
    deep[watch.key] = nil
    leave(watch)
  }

  /// Follows the links of a schema that changed, and the paths that it gives a meaning to.
  mutating func learn(_ schema: Schema) {
    for watch in Array(paths.values) {
      guard let path = watch.path.learned(schema) else { continue }
      leave(watch)
      watch.learn(path)
      enter(watch)
    }
    for watch in deep.values {
      leave(watch)
      watch.learn(schema)
      enter(watch)
    }
  }

  private mutating func enter(_ watch: DeepWatch) {
    for classID in watch.distances.keys {
      interest(in: classID).deep.append(watch)
    }
  }

  private mutating func leave(_ watch: DeepWatch) {
    for classID in watch.distances.keys { classes[classID]?.deep.removeAll { $0 === watch } }
  }

  // MARK: Observers

  mutating func add(_ observer: Observer, toRowsOf classID: ClassID) {
    interest(in: classID).rows.append(observer)
  }

  mutating func removeDead(fromRowsOf classID: ClassID) {
    classes[classID]?.rows.removeDead()
  }

  /// Enters results whose rows lie in a span, and answers with which others.
  mutating func add(
    _ observer: Observer, _ live: LiveResults, _ span: ValueSpan
  ) -> FilterGroup {
    let (classID, paths) = (live.view.query.classID, live.distinctPaths)
    let deep: DeepWatch? = if case .deep(let watch) = live.rowWatch { watch } else { nil }
    let watches = paths.map { ObjectIdentifier($0) } + (deep.map { [ObjectIdentifier($0)] } ?? [])
    let key = FilterGroup.Key(
      classID: classID, property: span.property, watches: Set(watches))
    let group: FilterGroup
    if let known = classes[classID]?.groups[key] {
      group = known
    } else {
      group = FilterGroup(key, paths, deep)
      for watch in paths { watch.groups.append(group) }
      deep?.groups.append(group)
      interest(in: classID).groups[key] = group
    }
    group.insert(observer, span)
    return group
  }

  mutating func remove(_ observer: Observer, from group: FilterGroup, _ span: ValueSpan) {
    group.remove(observer, span)
    guard group.spans.isEmpty else { return }
    classes[group.key.classID]?.groups[group.key] = nil
    for watch in group.paths { watch.groups.removeAll { $0 === group } }
    group.deep?.groups.removeAll { $0 === group }
  }

  mutating func add(_ observer: Observer, to object: ObjectID) -> ObservedObject {
    let entry = classes[object.classID]?.objects[object.number] ?? ObservedObject()
    entry.observers.append(observer)
    interest(in: object.classID).objects[object.number] = entry
    return entry
  }

  mutating func remove(_ observer: Observer, from object: ObjectID) {
    guard let entry = classes[object.classID]?.objects[object.number] else { return }
    entry.observers.removeAll { $0 === observer }
    if entry.observers.isEmpty { classes[object.classID]?.objects[object.number] = nil }
  }

  mutating func add(_ observer: Observer, to place: CollectionPlace) {
    let owner = place.owner
    interest(in: owner.classID).collections.add(observer, owner.number)
    guard let origin = place.origin else { return }
    interest(in: origin.classID).backlinks[origin.property, default: ObserversByObject()].add(
      observer, owner.number)
  }

  mutating func remove(_ observer: Observer, from place: CollectionPlace) {
    let owner = place.owner
    classes[owner.classID]?.collections.remove(observer, owner.number)
    guard let origin = place.origin else { return }
    classes[origin.classID]?.backlinks[origin.property]?.remove(observer, owner.number)
    if classes[origin.classID]?.backlinks[origin.property]?.isEmpty ?? false {
      classes[origin.classID]?.backlinks[origin.property] = nil
    }
  }

  mutating func add(_ observer: Observer, toPropertiesOf object: ObjectID) {
    interest(in: object.classID).observedProperties
      .add(observer, object.number)
  }

  mutating func remove(_ observer: Observer, fromPropertiesOf object: ObjectID) {
    classes[object.classID]?.observedProperties.remove(observer, object.number)
  }

  /// Lets go of what was remembered for records that everybody has heard of.
  mutating func forgetAnswers() {
    for watch in asked.paths { watch.forget() }
    for watch in asked.deep { watch.forget() }
    asked.paths.removeAll(keepingCapacity: true)
    asked.deep.removeAll(keepingCapacity: true)
  }

  mutating func noteAsked(_ paths: [PathWatch], _ deep: [DeepWatch]) {
    asked.paths.append(contentsOf: paths)
    asked.deep.append(contentsOf: deep)
  }
}

/// The observers of one object.
final class ObservedObject {
  var observers: [Observer] = []
  /// The root steps of paths that matched in the record at hand, of observers that share them.
  var sharedMatches: Set<PropertyPath.Step.Kind> = []
}

extension PropertyPath {
  fileprivate struct Trigger: Hashable {
    var classID: ClassID
    var property: PropertyID
  }

  /// The properties whose change anywhere may be a change along the path.
  fileprivate var triggers: Set<Trigger> {
    Set(
      steps.map { step in
        switch step.kind {
        case .property(let property): Trigger(classID: step.classID, property: property)
        case .backlinks(let origin, let property): Trigger(classID: origin, property: property)
        }
      })
  }

  /// The classes from which the path steps come backwards.
  fileprivate var origins: Set<ClassID> {
    Set(
      steps.compactMap { step in
        if case .backlinks(let origin, _) = step.kind { origin } else { nil }
      })
  }
}
