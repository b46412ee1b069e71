import HeraldModel
import HeraldQuery

/// The subscriptions of a session: an index from the contents of a commit record to the watches and
/// observers that it concerns, so that unaffected observers cost nothing.
struct Interest {
  /// The subscriptions to one class; a reference type, since each record passes it around.
  final class ClassInterest {
    /// Watches of paths that have the property as a step.
    var properties: [PropertyID: [PathWatch]] = [:]
    /// Watches of paths with a backlinks step to the class: creation and deletion of its objects count.
    var origins: [PathWatch] = []
    /// Watches of collections whose rows reach the class: a change of any property counts.
    var deep: [DeepWatch] = []
    /// Observers of results of the class: creation and deletion count.
    var rows = ObserverList()
    /// Groups of such observers of which each change concerns only some.
    var groups: [PredicateIndex.Key: PredicateIndex] = [:]
    /// Observed objects.
    var objects: [ObjectNumber: ObservedObject] = [:]
    /// Observers of collections, and of results of collections, by the owning object.
    var collections = ObserversByObject()
    /// Observers of backlinks through a property of the class, by the linked object.
    var backlinks: [PropertyID: ObserversByObject] = [:]
    /// Observers of single properties, by object.
    var observedProperties = ObserversByObject()
  }

  private(set) var classes: [ClassID: ClassInterest] = [:]
  private(set) var paths: [PropertyPath: PathWatch] = [:]
  private(set) var deep: [DeepWatch.Key: DeepWatch] = [:]
  /// The watches that were evaluated for records, and may hold cached results.
  private var evaluated: (paths: [PathWatch], deep: [DeepWatch]) = ([], [])

  /// Returns the subscriptions to a class, creating them on first use.
  private mutating func interest(in classID: ClassID) -> ClassInterest {
    if let known = classes[classID] { return known }
    let new = ClassInterest()
    classes[classID] = new
    return new
  }

  // MARK: Watches

  /// Returns the watch of a path. A nested value is watched with the whole property.
  mutating func watch(_ path: PropertyPath) -> PathWatch {
    let path = path.withWholeProperties
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

  /// Follows a schema change: recomputes distances over links, and resolves backlinks steps of classes
  /// that it declares.
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

  /// Adds an observer of results whose rows lie in an interval, and returns its group.
  mutating func add(
    _ observer: Observer, _ live: LiveResults, _ span: ValueInterval
  ) -> PredicateIndex {
    let (classID, paths) = (live.view.query.classID, live.distinctPaths)
    let deep: DeepWatch? = if case .deep(let watch) = live.rowWatch { watch } else { nil }
    let watches = paths.map { ObjectIdentifier($0) } + (deep.map { [ObjectIdentifier($0)] } ?? [])
    let key = PredicateIndex.Key(
      classID: classID, property: span.property, watches: Set(watches))
    let group: PredicateIndex
    if let known = classes[classID]?.groups[key] {
      group = known
    } else {
      group = PredicateIndex(key, paths, deep)
      for watch in paths { watch.groups.append(group) }
      deep?.groups.append(group)
      interest(in: classID).groups[key] = group
    }
    group.insert(observer, span)
    return group
  }

  mutating func remove(_ observer: Observer, from group: PredicateIndex, _ span: ValueInterval) {
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

  mutating func add(_ observer: Observer, to location: CollectionLocation) {
    let owner = location.owner
    interest(in: owner.classID).collections.add(observer, owner.number)
    guard let origin = location.origin else { return }
    interest(in: origin.classID).backlinks[origin.property, default: ObserversByObject()].add(
      observer, owner.number)
  }

  mutating func remove(_ observer: Observer, from location: CollectionLocation) {
    let owner = location.owner
    classes[owner.classID]?.collections.remove(observer, owner.number)
    guard let origin = location.origin else { return }
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

  /// Drops the cached results for records that have been delivered to every observer.
  mutating func clearCaches() {
    for watch in evaluated.paths { watch.forget() }
    for watch in evaluated.deep { watch.forget() }
    evaluated.paths.removeAll(keepingCapacity: true)
    evaluated.deep.removeAll(keepingCapacity: true)
  }

  mutating func noteEvaluated(_ paths: [PathWatch], _ deep: [DeepWatch]) {
    evaluated.paths.append(contentsOf: paths)
    evaluated.deep.append(contentsOf: deep)
  }
}

/// The observers of one object.
final class ObservedObject {
  var observers: [Observer] = []
  /// The root steps of paths that matched in the current record, of observers that share them.
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

  /// The origin classes of the backlinks steps.
  fileprivate var origins: Set<ClassID> {
    Set(
      steps.compactMap { step in
        if case .backlinks(let origin, _) = step.kind { origin } else { nil }
      })
  }
}
