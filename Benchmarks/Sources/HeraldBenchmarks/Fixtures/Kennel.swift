import Herald

/// Dogs with a name, an age, a weight and a breed, made from a seed.
struct Kennel {
  static let className = "Dog"
  static let breeds = [
    "beagle", "boxer", "collie", "corgi", "dalmatian", "greyhound", "husky", "labrador", "mastiff",
    "pointer", "poodle", "pug", "rottweiler", "setter", "spaniel", "terrier", "whippet", "vizsla",
  ]

  let store: DynamicStore
  /// All dogs, strays included, in order of creation.
  let dogs: [DynamicObject]
  /// The dogs without the strays, whose age is 0.
  let kept: [DynamicObject]

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
    var litter = Litter(seed: 1)
    var dogs: [DynamicObject] = []
    var kept: [DynamicObject] = []
    try store.write { [store] in
      for index in 0..<(strays ? count + count / 10 : count) {
        let isStray = strays && index % 11 == 10
        let dog = try store.add(Self.className, litter.dog(age: isStray ? 0 : nil))
        dogs.append(dog)
        if !isStray { kept.append(dog) }
      }
    }
    self.dogs = dogs
    self.kept = kept
    try require(store.objects(Self.className).count == dogs.count, "dogs are missing")
  }
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
