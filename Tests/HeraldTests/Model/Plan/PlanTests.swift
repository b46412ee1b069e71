import Herald
import Testing

/// Which plan is chosen, and that it finds what a scan finds.
@Suite struct PlanTests {
  /// 2,000 dogs of 20 people; ages grow with the numbers, so that a block has few.
  private let store: DynamicStore

  init() throws {
    store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Person",
        properties: [
          .init(name: "name", element: .string, isIndexed: true), .init(name: "age", element: .int),
        ]))
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "name", element: .string, isIndexed: true),
          .init(name: "nick", element: .string, isOptional: true, isIndexed: true),
          .init(name: "age", element: .int), .init(name: "weight", element: .double),
          .init(name: "born", element: .date, isIndexed: true),
          .init(name: "chip", element: .uuid, isIndexed: true),
          .init(name: "price", element: .decimal, isIndexed: true),
          .init(name: "isGood", element: .bool, isIndexed: true),
          .init(name: "owner", element: .link("Person")),
          .init(name: "friends", element: .link("Dog"), shape: .list),
        ]))
    try fill()
  }

  private func fill() throws {
    try store.beginWrite()
    let people = try (0..<20).map { place in
      try store.add(
        "Person", [("name", .value(.string("p\(place)"))), ("age", .value(.int(place)))])
    }
    var dogs: [ObjectHandle] = []
    for place in 0..<2_000 {
      dogs.append(
        try store.add(
          "Dog",
          [
            ("id", .value(.int(place))), ("name", .value(.string("dog \(place)"))),
            ("nick", .value(place % 500 == 7 ? .null : .string("n\(place % 40)"))),
            ("age", .value(.int(place / 20))), ("weight", .value(.double(Double(place % 97)))),
            ("born", .value(.date(Timestamp(seconds: place)))),
            ("chip", .value(.uuid(UniqueID(bits: (0, UInt64(place)))))),
            ("price", .value(.decimal(Decimal128(place)))),
            ("isGood", .value(.bool(place % 2 == 0))),
            ("owner", .value(.link(people[place % 20].id))),
          ]))
    }
    for place in 0..<20 {
      try dogs[place].set(
        "friends", to: .list([.link(dogs[place + 100].id), .link(dogs[place + 101].id)]))
    }
    try store.commitWrite()
  }

  /// The requirements of a reader have no defaults, and what is frozen passes each on.
  @Test(arguments: plans.map(\.query))
  func `frozen objects are found like live ones`(query: String) throws {
    for sort in ["", " sort(age) limit(3)", " sort(weight desc) limit(3)"] {
      let results = try store.results("Dog", asking: query + sort)
      #expect(try results.frozen.explanation == results.explanation)
      #expect(try results.frozen.objects.map(\.id) == results.objects.map(\.id))
    }
  }

  static let plans: [(query: String, steps: [String], rows: Int)] = [
    ("id == 7", ["primary key"], 1),
    ("id IN {7, 9, 5000}", ["primary key"], 2),
    ("id BETWEEN {10, 19}", ["primary key"], 10),
    ("id > 1989 AND id < 1995", ["primary key"], 5),
    ("name == 'dog 7'", ["index"], 1),
    ("name BEGINSWITH 'dog 19'", ["index"], 111),
    ("name >= 'dog 1995'", ["scan"], 893),
    ("name > 'dog 1990' AND name <= 'dog 1992'", ["index", "filter"], 2),
    ("nick == nil", ["index"], 4),
    ("nick != nil", ["scan"], 1_996),
    ("born < T5:0", ["index"], 5),
    ("chip == uuid(00000000-0000-0000-0000-000000000007)", ["index"], 1),
    ("chip <= uuid(00000000-0000-0000-0000-000000000007)", ["index"], 8),
    ("price == 7.00", ["index"], 1),
    ("price BETWEEN {7, 8.5}", ["index"], 2),
    ("isGood == true", ["scan"], 1_000),
    ("name == 'dog 7' AND age < 50", ["index", "filter"], 1),
    ("name == 'dog 7' OR id == 9", ["union"], 2),
    ("name == 'dog 7' OR age == 9", ["scan"], 21),
    ("owner.name == 'p3'", ["index", "links"], 100),
    ("owner.age == 3", ["scan", "links"], 100),
    ("owner.age == 3 AND id < 40", ["primary key", "filter"], 2),
    ("ANY friends.id == 101", ["primary key", "links"], 2),
    ("ANY friends.owner.name == 'p1'", ["index", "links", "links"], 2),
    ("owner.age != 3", ["scan"], 1_900),
    ("age == 3", ["scan"], 20),
    ("FALSEPREDICATE", ["nothing"], 0),
    ("TRUEPREDICATE", ["all"], 2_000),
    ("age > 3 sort(weight) limit(5)", ["scan", "top"], 5),
    ("age > 3 sort(weight) distinct(weight) limit(5)", ["scan", "sort", "distinct", "limit"], 5),
  ]

  @Test(arguments: plans)
  func `the plan that is chosen`(query: String, steps: [String], rows: Int) throws {
    let results = try store.results("Dog", asking: query)
    let explanation = try results.explanation
    #expect(explanation.steps.map(\.kind.rawValue) == steps)
    #expect(try results.count == rows)
    #expect(explanation.steps.last?.actual == rows)
  }

  @Test func `links are followed back from an object, and forward to one`() throws {
    let back = try store.results("Person", asking: "ANY @links.Dog.owner.id == 7").explanation
    #expect(back.steps.map(\.kind.rawValue) == ["primary key", "links"])
    #expect(
      back.steps.map(\.text) == [
        "Dog: ANY @links.Dog.owner.id == 7", "through Dog.owner to Person",
      ])
    #expect(back.steps.map(\.actual) == [1, 1])
  }

  @Test func `zones decide most blocks of a column that grows`() throws {
    let steps = try store.results("Dog", asking: "age == 3").explanation.steps
    #expect(steps[0].blocks?.total == 8)
    #expect(steps[0].blocks?.skipped == 7)
    #expect(steps[0].actual == 20)
  }

  @Test func `zones follow what a write changes, before and after its commit`() throws {
    let dog = try #require(try store.object("Dog", key: .int(1_999)))
    let results = try store.results("Dog", asking: "age == 3")
    try store.beginWrite()
    try dog.set("age", to: .value(.int(3)))
    #expect(try results.count == 21)
    try store.commitWrite()
    #expect(try results.count == 21)
    try store.write { try store.delete(dog) }
    #expect(try results.count == 20)
    #expect(store.check().isEmpty)
  }

  static let sorts = [
    "sort(weight) limit(7)", "sort(weight desc) limit(7)", "sort(weight, age desc) limit(7)",
    "sort(nick) limit(9)", "sort(nick desc, weight) limit(9)", "sort(born desc) limit(3)",
    "sort(isGood, weight desc) limit(5)", "sort(owner.age) limit(4)", "sort(weight) limit(0)",
    "sort(price desc) limit(6)", "sort(age desc) limit(100)",
  ]

  @Test(arguments: sorts)
  func `the first rows of a sort are those of the whole sort`(stages: String) throws {
    let top = try store.results("Dog", asking: "TRUEPREDICATE \(stages)").objects
    let limit = try #require(stages.firstRange(of: " limit"))
    let whole = try store.results(
      "Dog", asking: "TRUEPREDICATE \(stages[..<limit.lowerBound])"
    ).objects
    #expect(top == Array(whole.prefix(top.count)))
    #expect("\(stages[limit.lowerBound...])" == " limit(\(top.count))")
  }

  @Test func `an interruption stops a query, and has no other effect`() throws {
    let interruption = Interruption()
    store.interruption = interruption
    let results = try store.results("Dog", asking: "age > 3 sort(name)")
    #expect(try results.count == 1_920)
    interruption.request()
    for ask in [
      { _ = try results.count }, { _ = try results.objects }, { _ = try results.explanation },
    ] {
      #expect(throws: HeraldError.interrupted, performing: ask)
    }
    interruption.clear()
    #expect(try results.objects.count == 1_920)
  }
}
