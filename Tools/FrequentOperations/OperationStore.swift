import Herald

/// A class of the program.
final class Patient: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight = 0.0
  @Persisted(indexed: true) var chip = 0
}

/// A store with 10,000 patients, and the operations on it. Each works on one patient after another, in an
/// order that does not follow their numbers.
struct OperationStore {
  private static let count = 10_000
  private static let filterCount = 1_000
  private static let rangeCount = 10_000

  /// The error of an operation that did not do its work.
  private struct WrongWork: Error {
    let operation: FrequentOperation
  }

  private let store: Store
  private let patients: [Patient]

  /// - Parameter path: that of a new file; nil for a store in memory.
  init(path: String? = nil) throws {
    store = if let path { try Store(path: path) } else { try Store() }
    patients = try store.write { [store] in
      (0..<Self.count).map { index in
        let patient = Patient()
        patient.name = "Patient \(index)"
        patient.age = index % 20
        patient.weight = Double(Self.mixed(index)) / 100
        patient.chip = index / 10
        store.add(patient)
        return patient
      }
    }
  }

  /// Returns a number below `count` for each of the first `count` numbers, each once.
  private static func mixed(_ number: Int) -> Int { number * 7919 % count }

  func perform(_ operation: FrequentOperation, _ times: Int) throws {
    let work =
      switch operation {
      case .readInt: readInt(times)
      case .readString: readString(times)
      case .readByNumber: try readByNumber(times)
      case .countIndexed: count(store.objects(Patient.self).where { $0.chip == 500 }, times)
      case .countScanned: count(store.objects(Patient.self).where { $0.age > 9 }, times)
      case .set, .setInFile: try set(times)
      case .setObserved: try setObserved(times)
      case .setObject: try setObject(times)
      case .add: try add(times)
      case .addMany: try addMany(times)
      case .addColumns: try addColumns(times)
      case .observe: observe(times)
      case .setFiltered: try setFiltered(times)
      case .setRanged: try setRanged(times)
      }
    guard work == expected(operation, times) else { throw WrongWork(operation: operation) }
  }

  /// What the method of an operation returns if every repetition did its work.
  private func expected(_ operation: FrequentOperation, _ times: Int) -> Int {
    switch operation {
    case .readInt, .readString, .readByNumber, .set, .setObserved, .setObject, .setInFile, .add,
      .addMany, .addColumns, .observe:
      times
    case .setFiltered: times * Self.filterCount
    case .setRanged: times * 2
    case .countIndexed: times * 10
    case .countScanned: times * Self.count / 2
    }
  }

  /// Returns the number of right values.
  private func readInt(_ times: Int) -> Int {
    var right = 0
    for index in 0..<times {
      let number = Self.mixed(index)
      if patients[number].age == number % 20 { right += 1 }
    }
    return right
  }

  /// Returns the number of values that can be right.
  private func readString(_ times: Int) -> Int {
    var right = 0
    for index in 0..<times where patients[Self.mixed(index)].name.utf8.count > 8 { right += 1 }
    return right
  }

  /// Returns the number of right values.
  private func readByNumber(_ times: Int) throws -> Int {
    guard let classID = store.untyped.schema.classSchema(named: "Patient")?.id else { return 0 }
    var right = 0
    for index in 0..<times {
      let number = Self.mixed(index)
      let patient = store.untyped.object(ObjectID(classID, number + 1))
      if case .int(number % 20)? = try patient?.value("age") { right += 1 }
    }
    return right
  }

  /// Returns the sum of all counts.
  private func count(_ results: Results<Patient>, _ times: Int) -> Int {
    var sum = 0
    for _ in 0..<times { sum &+= results.count }
    return sum
  }

  /// Returns the number of commits.
  private func set(_ times: Int) throws -> Int {
    let version = store.untyped.version
    for index in 0..<times {
      try store.write { patients[Self.mixed(index)].weight = Double(index) }
    }
    return Int(store.untyped.version - version)
  }

  /// Returns the number of deliveries.
  private func setObserved(_ times: Int) throws -> Int {
    var deliveries = 0
    let results = store.objects(Patient.self).where { $0.age >= 0 }.sorted(by: \.weight)
    let token = results.observe { change in
      if case .update = change { deliveries += 1 }
    }
    store.refresh()
    for index in 0..<times {
      try store.write { patients[Self.mixed(index)].weight = Double(index) + 0.5 }
      store.refresh()
    }
    token.invalidate()
    return deliveries
  }

  /// Returns the number of deliveries.
  private func setObject(_ times: Int) throws -> Int {
    var deliveries = 0
    let token = patients[7].observe { change in
      if case .change = change { deliveries += 1 }
    }
    for index in 0..<times {
      try store.write { patients[7].weight = Double(index) + 0.5 }
      store.refresh()
    }
    token.invalidate()
    return deliveries
  }

  /// Returns the number of deliveries to observers of different filters, each of which concerns half of the patients
  /// and every change.
  private func setFiltered(_ times: Int) throws -> Int {
    var deliveries = 0
    let tokens = (0..<Self.filterCount).map { index in
      let bound = -1.0 - Double(index)
      let filter = store.objects(Patient.self).where { $0.age >= 10 && $0.weight > bound }
      return filter.observe { change in
        if case .update = change { deliveries += 1 }
      }
    }
    store.refresh()
    for index in 0..<times {
      try store.write { patients[index * 20 + 15].weight = Double(index) + 0.5 }
      store.refresh()
    }
    for token in tokens { token.invalidate() }
    return deliveries
  }

  /// Returns the number of deliveries to observers of ranges side by side, of which each change concerns two.
  private func setRanged(_ times: Int) throws -> Int {
    var deliveries = 0
    let tokens = (0..<Self.rangeCount).map { index in
      let (lower, upper) = (Double(index) / 100, Double(index + 1) / 100)
      let filter = store.objects(Patient.self).where { $0.weight >= lower && $0.weight < upper }
      return filter.observe { change in
        if case .update = change { deliveries += 1 }
      }
    }
    store.refresh()
    for index in 0..<times {
      let weight = (Double(Self.mixed(index * 3 + 1)) + 0.5) / 100
      try store.write { patients[Self.mixed(index)].weight = weight }
      store.refresh()
    }
    for token in tokens { token.invalidate() }
    return deliveries
  }

  /// Returns the number of new objects.
  private func add(_ times: Int) throws -> Int {
    for index in 0..<times {
      try store.write {
        let patient = Patient()
        patient.name = "Newcomer"
        patient.weight = Double(index)
        patient.chip = index
        store.add(patient)
      }
    }
    return store.objects(Patient.self).count - Self.count
  }

  /// A class without an index.
  private static let visit = ClassDefinition(
    name: "Visit",
    properties: [
      .init(name: "reason", element: .string), .init(name: "minutes", element: .int),
      .init(name: "price", element: .double), .init(name: "doctor", element: .string),
    ])
  private static let reasons = (0..<1_000).map { "Reason \($0)" }

  /// Returns the number of new objects.
  private func addMany(_ times: Int) throws -> Int {
    let store = store.untyped
    try store.declare(Self.visit)
    let reasons = Self.reasons.map { PropertyContent.value(.string($0)) }
    try store.write {
      for index in 0..<times {
        _ = try store.add(
          Self.visit.name,
          [
            ("reason", reasons[index % 1_000]), ("minutes", .value(.int(index % 60))),
            ("price", .value(.double(Double(index) / 4))), ("doctor", reasons[index % 7]),
          ])
      }
    }
    return try store.objects(Self.visit.name).count
  }

  /// Returns the number of new objects.
  private func addColumns(_ times: Int) throws -> Int {
    let store = store.untyped
    try store.declare(Self.visit)
    let columns: [NamedColumn] = [
      ("reason", .strings((0..<times).map { Self.reasons[$0 % 1_000] })),
      ("minutes", .ints((0..<times).map { $0 % 60 })),
      ("price", .doubles((0..<times).map { Double($0) / 4 })),
      ("doctor", .strings((0..<times).map { Self.reasons[$0 % 7] })),
    ]
    try store.write { _ = try store.insert(Self.visit.name, columns: columns) }
    return try store.objects(Self.visit.name).count
  }

  /// Returns the number of initial deliveries.
  private func observe(_ times: Int) -> Int {
    var deliveries = 0
    let results = store.objects(Patient.self).where { $0.age > 0 }.sorted(by: \.weight)
    for _ in 0..<times {
      let token = results.observe { change in
        if case .initial = change { deliveries += 1 }
      }
      store.refresh()
      token.invalidate()
    }
    return deliveries
  }
}
