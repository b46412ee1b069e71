import HeraldModel
import HeraldQuery

extension Interest {
  /// Returns the watch of a path. A nested value is watched with the whole property.
  func watch(_ path: PropertyPath) -> PathWatch {
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

  func release(_ watch: PathWatch) {
    watch.uses -= 1
    if watch.uses == 0 { leave(watch) }
  }

  private func enter(_ watch: PathWatch) {
    paths[watch.path] = watch
    for trigger in watch.path.triggers {
      interest(in: trigger.classID).properties[trigger.property, default: []].append(watch)
    }
    for origin in watch.path.origins { interest(in: origin).origins.append(watch) }
  }

  private func leave(_ watch: PathWatch) {
    forgetValueSubscribers()
    paths[watch.path] = nil
    for trigger in watch.path.triggers {
      classes[trigger.classID]?.properties[trigger.property]?.removeAll { $0 === watch }
    }
    for origin in watch.path.origins { classes[origin]?.origins.removeAll { $0 === watch } }
  }

  func watch(_ key: DeepWatch.Key, _ schema: Schema) -> DeepWatch {
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

  func release(_ watch: DeepWatch) {
    watch.uses -= 1
    guard watch.uses == 0 else { return }
    deep[watch.key] = nil
    leave(watch)
  }

  /// Follows a schema change: recomputes distances over links, and resolves backlinks steps of classes
  /// that it declares.
  func learn(_ schema: Schema) {
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

  private func enter(_ watch: DeepWatch) {
    for classID in watch.distances.keys { interest(in: classID).deep.append(watch) }
  }

  private func leave(_ watch: DeepWatch) {
    forgetValueSubscribers()
    for classID in watch.distances.keys { classes[classID]?.deep.removeAll { $0 === watch } }
  }

  // MARK: Watches of rows

  /// Returns a watch of the modifications of rows. `classID` is their class; nil for rows of any class.
  func watch(_ filter: RowFilter, of classID: ClassID?, _ schema: Schema) -> RowWatch {
    switch filter {
    case .keyPaths(let paths), .shown(let paths): RowWatch(paths: watch(paths, schema))
    case .deep(let limit):
      RowWatch(deep: watch(DeepWatch.Key(classID: classID, limit: limit), schema))
    }
  }

  func watch(_ paths: [PropertyPath], _ schema: Schema) -> [PathWatch] {
    Set(paths.map { $0.learned(schema) ?? $0 }).map { watch($0) }
  }

  /// Adds an observer that any change found by the watches concerns.
  func add(_ observer: Observer, to watch: RowWatch?) {
    forgetValueSubscribers()
    for path in watch?.paths ?? [] { path.observers.append(observer) }
    watch?.deep?.observers.append(observer)
  }

  /// Removes an observer from watches to which it was added.
  func remove(_ observer: Observer, from watch: RowWatch?) {
    forgetValueSubscribers()
    for path in watch?.paths ?? [] { path.observers.remove(observer) }
    watch?.deep?.observers.remove(observer)
  }

  func release(_ watch: RowWatch?) {
    for path in watch?.paths ?? [] { release(path) }
    if let deep = watch?.deep { release(deep) }
  }

  // MARK: Watches of results

  /// Returns the watches of the paths that results depend on, those of other results with the same paths.
  func watches(of query: BoundQuery, _ filter: RowFilter, _ schema: Schema) -> ResultsWatches {
    let new = ResultsWatches(
      predicate: watch(query.predicate.dependencies, schema),
      keys: watch(query.keyDependencies, schema),
      rows: watch(filter, of: query.classID, schema))
    guard let known = ofResults[new.key] else {
      ofResults[new.key] = new
      return new
    }
    known.uses += 1
    release(new.every)
    return known
  }

  func release(_ watches: ResultsWatches) {
    watches.uses -= 1
    guard watches.uses == 0 else { return }
    ofResults[watches.key] = nil
    release(watches.every)
  }

  // MARK: Caches

  /// Drops the cached results for records that have been delivered to every observer.
  func clearCaches() {
    if evaluated.paths.isEmpty, evaluated.deep.isEmpty { return }
    for watch in evaluated.paths { watch.forget() }
    for watch in evaluated.deep { watch.forget() }
    evaluated.paths.removeAll(keepingCapacity: true)
    evaluated.deep.removeAll(keepingCapacity: true)
  }

  func noteEvaluated(_ paths: [PathWatch], _ deep: [DeepWatch]) {
    if !paths.isEmpty { evaluated.paths.append(contentsOf: paths) }
    if !deep.isEmpty { evaluated.deep.append(contentsOf: deep) }
  }
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
