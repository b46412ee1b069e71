import Herald

extension HeraldBenchmarks {
  /// Objects of four properties, all in one write.
  static func inserting() -> [Benchmark] {
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    return [
      Benchmark(
        name: "insert: in memory, one write", sizes: sizes, unit: .each("object"),
        target: .atMost(500e-9, .unit)
      ) { size, effort in
        try insertions(size, effort, Kennel.definition) { try DynamicStore() }
      },
      Benchmark(
        name: "insert: by columns, in memory, one write", sizes: sizes, unit: .each("object"),
        target: .atMost(150e-9, .unit), measure: columnInsertions),
      Benchmark(name: "insert: on disk, one write", sizes: sizes, unit: .each("object")) {
        size, effort in
        let folder = try TemporaryFolder()
        var stores = 0
        return try insertions(size, effort, Kennel.definition) {
          stores += 1
          return try DynamicStore(path: folder.file("\(stores).hdb"))
        }
      },
      Benchmark(
        name: "insert: primary key and index, one write", sizes: sizes, unit: .each("object")
      ) { size, effort in
        try insertions(size, effort, Registry.definition) { try DynamicStore() }
      },
    ]
      + Indexed.allCases.map { indexed in
        Benchmark(
          name: "insert: an index of \(indexed.rawValue)s, one write", sizes: sizes,
          unit: .each("object")
        ) { size, effort in try insertions(size, effort, indexed) }
      }
  }

  /// Inserts the values of each property together; making them is not part of it.
  private static func columnInsertions(_ size: Int, _ effort: Effort) throws -> Samples {
    var (names, ages, weights, breeds) = ([String](), [Int](), [Double](), [String]())
    var litter = Litter(seed: 1)
    for _ in 0..<size {
      for case (_, .value(let value)) in litter.dog() {
        switch value {
        case .string(let text) where names.count > breeds.count: breeds.append(text)
        case .string(let text): names.append(text)
        case .int(let age): ages.append(age)
        case .double(let weight): weights.append(weight)
        default: break
        }
      }
    }
    let columns: [NamedColumn] = [
      ("name", .strings(names)), ("age", .ints(ages)), ("weight", .doubles(weights)),
      ("breed", .strings(breeds)),
    ]
    return try effort.samples(5, units: size) { _ in
      let store = try DynamicStore()
      defer { store.close() }
      try store.declare(Kennel.definition)
      let time = try seconds {
        try store.write { _ = try store.insert(Kennel.className, columns: columns) }
      }
      try require(store.objects(Kennel.className).count == size, "objects are missing")
      return time
    }
  }

  /// The type of the only property of a class, which is indexed.
  private enum Indexed: String, CaseIterable {
    case int, double, date, string

    var element: ClassDefinition.Property.Element {
      switch self {
      case .int: .int
      case .double: .double
      case .date: .date
      case .string: .string
      }
    }

    /// Returns a value for a number, mostly distinct and unordered.
    func value(of number: Int) -> Value {
      switch self {
      case .int: .int(number)
      case .double: .double(Double(number) / 16)
      case .date: .date(Timestamp(seconds: number, nanoseconds: Int32(number & 0xFFFF)))
      case .string: .string("plate \(number)")
      }
    }
  }

  /// Inserts objects with one indexed property.
  private static func insertions(
    _ size: Int, _ effort: Effort, _ indexed: Indexed
  ) throws -> Samples {
    let definition = ClassDefinition(
      name: "Entry",
      properties: [.init(name: "value", element: indexed.element, isIndexed: true)])
    return try effort.samples(5, units: size) { _ in
      let store = try DynamicStore()
      defer { store.close() }
      try store.declare(definition)
      var random = SplitMix64(seed: 1)
      let time = try seconds {
        try store.write {
          for _ in 0..<size {
            let number = Int(random.next() >> 33)
            _ = try store.add("Entry", [("value", .value(indexed.value(of: number)))])
          }
        }
      }
      try require(store.objects("Entry").count == size, "objects are missing")
      return time
    }
  }

  private static func insertions(
    _ size: Int, _ effort: Effort, _ definition: ClassDefinition,
    into open: () throws -> DynamicStore
  ) throws -> Samples {
    let isKeyed = definition.name == Registry.className
    return try effort.samples(5, units: size) { _ in
      let store = try open()
      defer { store.close() }
      try store.declare(definition)
      var litter = Litter(seed: 1)
      let time = try seconds {
        try store.write {
          for index in 0..<size {
            var properties = litter.dog()
            if isKeyed {
              let number = PropertyContent.value(.int(Registry.number(of: index)))
              properties += [("id", .value(.int(index))), ("chip", number), ("plate", number)]
            }
            _ = try store.add(definition.name, properties)
          }
        }
      }
      try require(store.objects(definition.name).count == size, "objects are missing")
      return time
    }
  }
}
