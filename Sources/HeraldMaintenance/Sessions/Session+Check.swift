package import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Returns every inconsistency of the store at the session's version, found by recomputing everything:
  /// storage's own structures, reverse links, indexes, unique keys, and the rows that observers keep. Empty
  /// if there is none. If the session's interruption is requested, returns the problems found so far.
  package func check() -> [String] {
    // A frozen version is shared with other threads; its session could check it before it was frozen.
    guard !isShared else { return [] }
    var problems = snapshot.storage.check().map(snapshot.schema.named)
    // The checks below would report the same damage many times.
    if !problems.isEmpty { return problems }
    for classSchema in snapshot.schema.classes where interruption?.isRequested != true {
      problems += snapshot.check(classSchema)
    }
    problems += NestedCheck.problems(snapshot) { [interruption] in
      interruption?.isRequested == true
    }
    return problems + leftovers() + definitionProblems() + observatory.violations(standing)
  }

  /// Returns a problem for each defined query that cannot be evaluated, and for each object that one names although it does
  /// not exist.
  private func definitionProblems() -> [String] {
    let schema = snapshot.schema
    return schema.definitions.flatMap { definition -> [String] in
      let names = DefinitionNames(definition, in: schema)
      if let error = names.error { return [error.message] }
      return names.objects.compactMap { object in
        guard let classSchema = schema.classSchema(named: object.className),
          (try? find(classSchema, key: object.key)) == nil
        else { return nil }
        let name = "\(object.className)#\(object.key.literalText)"
        return "query '\(definition.name)' names \(name), which does not exist"
      }
    }
  }
}

/// Storage's message for a file whose trees cannot be followed to the state.
private let stateProblem = "its state record cannot be read"

extension Session {
  /// Returns every problem of a file that cannot be opened because of `reason`, with the names of the damaged
  /// classes and properties as far as the schema can be read.
  package static func problems(ofDamaged path: String, _ reason: String) -> [String] {
    let file = DamagedFile(path, metadata: schemaName)
    let schema = file?.metadata.flatMap { try? Schema(encoded: $0) } ?? Schema()
    // Where there are several problems, the error gives the first and the number of the others.
    let first = reason.firstRange(of: " (and ").map { String(reason[..<$0.lowerBound]) } ?? reason
    let others = (file?.problems ?? []).filter { problem in
      // Leave out problems that are consequences of another.
      !problem.hasPrefix(first) && !first.hasPrefix(problem) && problem != stateProblem
    }
    return [HeraldError.damaged(path: path, reason: schema.named(first)).message]
      + others.map(schema.named)
  }

  /// Returns a problem for each column left behind by a dropped class or property.
  private func leftovers() -> [String] {
    let layout = snapshot.layout
    return snapshot.storage.columnsInUse().subtracting(layout.columnsInStorage).map {
      "column \($0.classID).\($0.propertyID) belongs to no property"
    }.sorted()
  }
}

extension TransactionReader {
  fileprivate func check(_ classSchema: ClassSchema) -> [String] {
    let numbers = objectNumbers(of: classSchema.id)
    return classSchema.properties.flatMap { property in
      var problems = checkValues(property, classSchema, numbers)
      if property.isIndexed || property.isPrimaryKey {
        problems += checkIndex(property, classSchema, numbers)
      }
      if let target = property.type.target {
        problems += checkLinks(property, classSchema, numbers, target)
      }
      return problems
    }
  }

  private func objectNumbers(of classID: ClassID) -> [ObjectNumber] {
    (0..<blockCount(of: classID)).flatMap { block in
      var numbers: [ObjectNumber] = []
      for bit in BlockBits(presence(of: classID, block: block)) {
        numbers.append(block * blockSize + bit)
      }
      return numbers
    }
  }

  private func checkValues(
    _ property: PropertySchema, _ classSchema: ClassSchema, _ numbers: [ObjectNumber]
  ) -> [String] {
    guard property.type.shape == .single, !property.type.isOptional else { return [] }
    return numbers.filter { value(property.id, of: ObjectID(classSchema.id, $0)).isNull }
      .map { "\(classSchema.name)#\($0).\(property.name) is nil" }
  }

  private func checkIndex(
    _ property: PropertySchema, _ classSchema: ClassSchema, _ numbers: [ObjectNumber]
  ) -> [String] {
    var byValue: [Value: [ObjectNumber]] = [:]
    for number in numbers {
      byValue[value(property.id, of: ObjectID(classSchema.id, number)), default: []]
        .append(number)
    }
    var problems: [String] = []
    for (value, expected) in byValue {
      let found = indexed(property.id, of: classSchema.id, equals: value) ?? []
      if found != expected {
        problems.append(
          "the index of \(classSchema.name).\(property.name) has \(found) for \(value), not \(expected)"
        )
      }
      if property.isPrimaryKey && expected.count > 1 {
        problems.append("\(classSchema.name).\(property.name) \(value) is not unique")
      }
    }
    let entries = storage.indexEntryCount(layout.column(property.id, of: classSchema.id)!.id)
    if entries != numbers.count {
      problems.append(
        "the index of \(classSchema.name).\(property.name) has \(entries) entries, not \(numbers.count)"
      )
    }
    return problems
  }

  private func checkLinks(
    _ property: PropertySchema, _ classSchema: ClassSchema, _ numbers: [ObjectNumber],
    _ targetClass: ClassID
  ) -> [String] {
    var forward: [ObjectID: [ObjectNumber: Int]] = [:]
    for number in numbers {
      for target in targets(of: ObjectID(classSchema.id, number), through: property) {
        forward[target, default: [:]][number, default: 0] += 1
      }
    }
    var problems: [String] = []
    let targetName = layout.schema.classSchema(targetClass)?.name ?? "class \(targetClass.rawValue)"
    for target in Set(objectNumbers(of: targetClass).map { ObjectID(targetClass, $0) })
      .union(forward.keys)
    {
      if !exists(target) {
        problems.append(
          "\(classSchema.name).\(property.name) links to \(targetName)#\(target.number), "
            + "which is deleted")
      }
      var backward: [ObjectNumber: Int] = [:]
      forEachOrigin(of: target, origin: classSchema.id, property: property.id) { origin, links in
        backward[origin] = links
        return true
      }
      if backward != forward[target] ?? [:] {
        problems.append(
          "reverse links of \(classSchema.name).\(property.name) to "
            + "\(targetName)#\(target.number) are \(backward), not \(forward[target] ?? [:])"
        )
      }
    }
    return problems
  }

  private func targets(of object: ObjectID, through property: PropertySchema) -> [ObjectID] {
    var targets: [ObjectID] = []
    switch property.type.shape {
    case .single:
      targets = value(property.id, of: object).links
    case .list, .set, .map:
      forEachElement(property.id, of: object) { element in
        targets += element.links
        return true
      }
    case .backlinks: break
    }
    return targets
  }
}

extension Layout {
  /// Every column that storage may contain, the presence column of each class included.
  var columnsInStorage: Set<ColumnID> {
    var columns: Set<ColumnID> = []
    for classSchema in schema.classes
      + [.nestedLists, .nestedMaps].compactMap(ClassSchema.ofNested)
    {
      columns.insert(ColumnID(classID: classSchema.id.rawValue, propertyID: 0))
      for property in classSchema.properties {
        guard let column = column(property.id, of: classSchema.id), !column.isBacklinks
        else { continue }
        columns.insert(column.id)
        if property.type.shape == .map { columns.insert(column.keys(of: 1).column) }
      }
    }
    return columns
  }
}
