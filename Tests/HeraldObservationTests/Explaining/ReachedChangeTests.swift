import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// The changes for which a row counts as modified, as the watches recorded them, against a walk forward
/// from the row over every link and every path.
@Suite struct ReachedChangeTests {
  @Test(arguments: seeds(40))
  func `2.4 a row names the changed objects in its reach in the order of its links`(
    seed: UInt64
  ) throws {
    let run = try ReasonRun(seed: seed) { .deep(limit: $0.below(5)) }
    var named = 0
    try run.forEachReport { walk, filter, row, seen in
      guard case .deep(let limit) = filter else { return }
      let expected = walk.changes(reachedFrom: row, limit)
      named += expected.count
      #expect(seen == expected, "seed \(seed), \(row.literal), depth \(limit)")
    }
    #expect(named > 0, "seed \(seed)")
  }

  @Test(arguments: seeds(40))
  func `3.2 a row names what changed along its key paths, each once`(seed: UInt64) throws {
    let run = try ReasonRun(seed: seed)
    var count = 0
    try run.forEachReport { walk, filter, row, seen in
      guard case .keyPaths(let paths) = filter else { return }
      let expected = Set(paths.flatMap { walk.changes(along: $0, from: row) })
      let named = seen.flatMap { change in
        (change.properties ?? ["?"]).map {
          ReasonWalk.Named(path: change.path, object: change.object, property: $0)
        }
      }
      #expect(Set(named).subtracting(expected) == [], "seed \(seed), \(row.literal)")
      count += named.count
      let changes = named.map { [$0.object.literal, $0.property] }
      #expect(Set(changes).count == changes.count, "seed \(seed), \(row.literal)")
      #expect(
        Set(changes) == Set(expected.map { [$0.object.literal, $0.property] }),
        "seed \(seed), \(row.literal)")
    }
    #expect(count > 0, "seed \(seed)")
  }
}

/// Observers of every class in a random history, whose reports are explained.
private struct ReasonRun {
  let history: CommitHistory
  private let seed: UInt64
  private let filters: [(RowFilter, ClassID)]

  /// With depths.
  init(seed: UInt64, _ filter: (inout SplitMix64) -> RowFilter) throws {
    history = try CommitHistory(seed: seed, commits: 20)
    self.seed = seed
    var random = SplitMix64(seed: seed)
    filters = history.state(history.first).schema.classes.flatMap { classSchema in
      (0..<2).map { _ in (filter(&random), classSchema.id) }
    }
  }

  /// With random key paths, through links, collections and backlinks.
  init(seed: UInt64) throws {
    history = try CommitHistory(seed: seed, commits: 20)
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let schema = history.state(history.first).schema
    filters = schema.classes.flatMap { classSchema in
      (0..<2).map { _ in
        let paths = (0...random.below(3)).compactMap { _ in
          schema.randomPath(from: classSchema.id, &random)
        }
        return (RowFilter.keyPaths(paths), classSchema.id)
      }
    }
  }

  /// Calls `body` in every delivery with each object of the rows' class and its changes.
  func forEachReport(
    _ body: (ReasonWalk, RowFilter, ObjectID, [ReachedChange]) -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let observatory = Observatory()
    let reader = ModelReader(history.state(history.first))
    var observed: [TokenID: (filter: RowFilter, classID: ClassID)] = [:]
    for (filter, classID) in filters {
      let token = observatory.register(.results(BoundQuery(classID: classID), filter))
      observed[token] = (filter, classID)
    }
    let beginning = observatory.beginRound()
    while try observatory.next(in: beginning, reader) != nil {}
    var version = history.first
    while version < history.last {
      // One commit, or several as one.
      let next = min(version + (random.oneIn(3) ? 3 : 1), history.last)
      reader.state = history.state(next)
      observatory.take(history.records(version + 1...next), reader)
      version = next
      var walks: [ClosedRange<Int>: ReasonWalk] = [:]
      let round = observatory.beginRound()
      while let due = try observatory.next(in: round, reader) {
        guard let (filter, classID) = observed[due.token],
          let record = observatory.reported?.record
        else { continue }
        let versions = record.firstVersion...record.lastVersion
        let walk = walks[versions] ?? ReasonWalk(history, versions)
        walks[versions] = walk
        for number in reader.numbers(of: classID) {
          let row = ObjectID(classID, number)
          body(walk, filter, row, observatory.changes(reachedFrom: row, reader))
        }
      }
    }
  }
}

/// Walks forward from rows, over plain states.
private struct ReasonWalk {
  struct Named: Hashable {
    var path: [String]
    var object: ObjectID
    var property: String
  }

  private let history: CommitHistory
  private let versions: ClosedRange<Int>
  private let state: RecordedState
  /// The properties that some commit left different, of objects that existed before and after.
  private var changed: [ObjectID: Set<PropertyID>] = [:]

  init(_ history: CommitHistory, _ versions: ClosedRange<Int>) {
    self.history = history
    self.versions = versions
    state = history.state(versions.upperBound)
    let first = history.state(versions.lowerBound - 1)
    for version in versions {
      let (old, new) = (history.state(version - 1), history.state(version))
      for (classID, objects) in old.objects {
        for number in objects.keys {
          let object = ObjectID(classID, number)
          guard new[object] != nil, first[object] != nil, state[object] != nil else { continue }
          for property in new.schema.classSchema(classID)?.properties ?? []
          where !property.type.isBacklinks
            && old.content(property, of: object) != new.content(property, of: object)
          {
            changed[object, default: []].insert(property.id)
          }
        }
      }
    }
  }

  /// Over every link that is not a backlink.
  func changes(reachedFrom row: ObjectID, _ limit: Int) -> [ReachedChange] {
    var found: [ReachedChange] = []
    var seen: Set<ObjectID> = [row]
    var level: [(object: ObjectID, path: [String])] = [(row, [])]
    for depth in 0...limit {
      var next: [(ObjectID, [String])] = []
      for (object, path) in level {
        if changed[object] != nil { found.append(ReachedChange(path: path, object: object)) }
        guard depth < limit else { continue }
        for property in state.schema.classSchema(object.classID)?.properties ?? [] {
          for target in state.linksInOrder(of: object, property) where seen.insert(target).inserted
          {
            next.append((target, path + [property.name]))
          }
        }
      }
      level = next
    }
    return found
  }

  func changes(along path: PropertyPath, from row: ObjectID) -> [Named] {
    var found: [Named] = []
    var level: Set<ObjectID> = [row]
    var names: [String] = []
    for step in path.steps {
      let name = state.schema.name(of: step.kind, step.classID)
      var next: Set<ObjectID> = []
      for object in level {
        if isChanged(step, of: object) {
          found.append(Named(path: names, object: object, property: name))
        }
        next.formUnion(targets(step, of: object))
      }
      level = next
      names.append(name)
    }
    return found
  }

  private func isChanged(_ step: PropertyPath.Step, of object: ObjectID) -> Bool {
    switch step.kind {
    case .property(let property): changed[object]?.contains(property) ?? false
    case .backlinks(let origin, let property):
      history.targets(versions, through: origin, property).contains(object)
    }
  }

  private func targets(_ step: PropertyPath.Step, of object: ObjectID) -> [ObjectID] {
    switch step.kind {
    case .property(let property): state.targets(of: object, property)
    case .backlinks(let origin, let property):
      state.origins(of: object, origin, property).map { ObjectID(origin, $0) }
    }
  }
}

extension RecordedState {
  /// The value of a property, or the values of a collection, with the keys of a map.
  fileprivate func content(_ property: PropertySchema, of object: ObjectID) -> [Value] {
    switch property.type.shape {
    case .single: [self[object]?.values[property.id] ?? .null]
    case .map: [.map(self[object]?.maps[property.id] ?? [:])]
    case .list, .set, .backlinks: elements(of: object, property.id)
    }
  }

  /// The objects that a property leads to, maps in values of any type in the order of their keys.
  fileprivate func linksInOrder(of object: ObjectID, _ property: PropertySchema) -> [ObjectID] {
    guard !property.type.isBacklinks else { return [] }
    func links(_ value: Value) -> [ObjectID] {
      switch value {
      case .link(let target): [target]
      case .list(let values): values.flatMap(links)
      case .map(let entries): entries.inKeyOrder.flatMap { links($0.value) }
      case _: []
      }
    }
    return property.type.isCollection
      ? elements(of: object, property.id).flatMap(links)
      : links(self[object]?.values[property.id] ?? .null)
  }
}

extension Schema {
  /// One to three steps, each through a link, a collection of links or backlinks; nil where there are
  /// none.
  fileprivate func randomPath(
    from classID: ClassID, _ random: inout SplitMix64
  ) -> PropertyPath? {
    var steps: [PropertyPath.Step] = []
    var current: ClassID? = classID
    for _ in 0...random.below(3) {
      guard let here = current,
        let property = classSchema(here)?.properties.randomElement(using: &random)
      else { break }
      if let origin = origin(of: property.type) {
        steps.append(
          PropertyPath.Step(
            here, .backlinks(origin: origin.classID, property: origin.property.id)))
      } else {
        steps.append(PropertyPath.Step(here, .property(property.id)))
      }
      current = property.type.linkedClass
    }
    return steps.isEmpty ? nil : PropertyPath(root: classID, steps: steps)
  }
}
