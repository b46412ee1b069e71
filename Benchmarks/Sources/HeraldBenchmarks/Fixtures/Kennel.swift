import Herald

/// Dogs with a name, an age, a weight and a breed, made from a seed.
struct Kennel {
  static let className = "Dog"
  static let breeds = [
    "beagle", "boxer", "collie", "corgi", "dalmatian", "greyhound", "husky", "labrador", "mastiff",
    "pointer", "poodle", "pug", "rottweiler", "setter", "spaniel", "terrier", "whippet", "vizsla",
  ]

  /// The largest kennel whose dogs are held.
  private static let heldCount = 10_000_000

  let store: DynamicStore
  /// The number of dogs without the strays, whose age is 0.
  let count: Int
  /// All dogs, strays included, in order of creation; empty if there are more than can be held.
  let dogs: [ObjectHandle]
  private let classID: ClassID
  private let hasStrays: Bool

  static let definition = ClassDefinition(
    name: className,
    properties: [
      .init(name: "name", element: .string), .init(name: "age", element: .int),
      .init(name: "weight", element: .double), .init(name: "breed", element: .string),
    ])

  /// Creates `count` dogs with ages from 1 to 19 in a store in memory, and with `strays` one more for every
  /// ten, of age 0.
  init(_ count: Int, strays: Bool = false) throws {
    store = try DynamicStore()
    try store.declare(Self.definition)
    classID = try store.classID(Self.className)
    self.count = count
    hasStrays = strays
    var litter = Litter(seed: 1)
    var dogs: [ObjectHandle] = []
    let total = strays ? count + count / 10 : count
    let holds = total <= Self.heldCount
    try store.writeEach(total) { [store] index in
      let isStray = strays && index % 11 == 10
      let dog = try store.add(Self.className, litter.dog(age: isStray ? 0 : nil))
      if holds { dogs.append(dog) }
    }
    self.dogs = dogs
    try require(store.objects(Self.className).count == total, "dogs are missing")
  }

  /// The dog at an index among those that are no strays.
  func dog(at index: Int) throws -> ObjectHandle {
    let index = hasStrays ? index + index / 10 : index
    if !dogs.isEmpty { return dogs[index] }
    guard let dog = store.object(ObjectID(classID, index + 1)) else {
      throw WrongWork(description: "there is no dog \(index + 1)")
    }
    return dog
  }

  /// A link to the dog at an index, strays included.
  func link(at index: Int) -> Value { .link(ObjectID(classID, index + 1)) }
}

/// Makes the properties of one dog after another.
struct Litter {
  private static let names = (0..<10_000).map { Value.string("Dog \($0)") }
  private static let breeds = Kennel.breeds.map { Value.string($0) }

  var random: SplitMix64

  /// Litters of one seed are equal: changes need another seed, so that they assign different weights.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func dog(age: Int? = nil) -> [NamedContent] {
    let number = random.next()
    let anyAge = 1 + Int(number >> 48) % 19
    return [
      ("name", .value(Self.names[Int(number & 0xFFFF_FFFF) % Self.names.count])),
      ("age", .value(.int(age ?? anyAge))),
      ("weight", .value(.double(Double(number >> 11) * 0x1p-53 * 80))),
      ("breed", .value(Self.breeds[Int(number >> 32 & 0xFFFF) % Self.breeds.count])),
    ]
  }

  mutating func weight() -> PropertyContent {
    .value(.double(Double(random.next() >> 11) * 0x1p-53 * 80))
  }
}
