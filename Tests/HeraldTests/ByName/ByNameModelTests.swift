import FoundationEssentials
import Herald
import TestSupport
import Testing

/// The same is done through classes of the program and through the names of classes.
@Suite struct ByNameModelTests {
  @Test(arguments: seeds(40))
  func `objects by name have the values, changes and errors of typed ones`(_ seed: UInt64) throws {
    let typed = try ByNameRun(ByNameFace<NamedPet, NamedOwner>(), seed)
    let named = try ByNameRun(ByNameFace<DynamicObject, DynamicObject>(), seed)
    for step in 0..<40 {
      let (expected, found) = (try typed.step(), try named.step())
      try #require(found == expected, "seed \(seed), step \(step)")
    }
  }
}

/// One run of random steps, each of which returns what could be seen after it.
private final class ByNameRun<Pet: Object, Owner: Object> {
  private let face: ByNameFace<Pet, Owner>
  private var random: SplitMix64
  private var events: [String] = []
  private var tokens: [NotificationToken] = []
  private var nextKey = 1

  init(_ face: ByNameFace<Pet, Owner>, _ seed: UInt64) throws {
    self.face = face
    random = SplitMix64(seed: seed)
    let old = face.pets.filter("age > %@ OR name BEGINSWITH 'b'", 3).sorted(by: [
      SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "age", ascending: false),
    ])
    tokens.append(old.observe { [unowned self] in record("old", $0) })
    tokens.append(
      face.pets.observe(keyPaths: ["friend.name", "tags"]) { [unowned self] in record("pets", $0) })
    tokens.append(face.owners.observe { [unowned self] in record("owners", $0) })
  }

  private func record<C: StoredCollection>(_ name: String, _ change: CollectionChange<C>) {
    switch change {
    case .initial(let rows): events.append("\(name) \(namedText(rows))")
    case .update(let rows, let deletions, let insertions, let modifications):
      events.append("\(name) \(namedText(rows)) -\(deletions) +\(insertions) ~\(modifications)")
    case .error(let error): events.append("\(name) \(error)")
    }
  }

  private func record(_ change: ObjectChange<Pet>) {
    switch change {
    case .change(let pet, let properties):
      let parts = properties.map {
        "\($0.name): \(namedText($0.oldValue)) -> \(namedText($0.newValue))"
      }
      events.append("\(namedText(pet)) \(parts.joined(separator: "; "))")
    case .deleted: events.append("deleted")
    case .error(let error): events.append("\(error)")
    }
  }

  /// One transaction or one new observer, and everything that can be read after it.
  func step() throws -> String {
    events = []
    if random.oneIn(4) { observe() }
    let isThrown = random.oneIn(8)
    do {
      try face.store.write {
        for _ in 0...random.below(3) { change() }
        if isThrown { throw CancellationError() }
      }
    } catch {
      events.append("\(error)")
    }
    face.store.refresh()
    return (events + [state]).joined(separator: "\n")
  }

  private func observe() {
    if let pet = anyPet {
      let keyPaths = random.pick([nil, ["name", "age"], ["toys"], ["friend.age"]])
      tokens.append(pet.observe(keyPaths: keyPaths) { [unowned self] in record($0) })
      if let tags = pet["tags"] as? MutableSet<String> {
        tokens.append(tags.observe { [unowned self] in record("tags", $0) })
      }
    }
    if let owner = anyOwner {
      if let pets = owner["pets"] as? List<Pet> {
        tokens.append(pets.observe(keyPaths: ["name"]) { [unowned self] in record("list", $0) })
      }
      if let scores = owner["scores"] as? Map<String, Int> {
        tokens.append(
          scores.observe { [unowned self] change in
            guard case .update(let map, let gone, let new, let other) = change else { return }
            events.append("scores \(namedText(map)) -\(gone) +\(new) ~\(other)")
          })
      }
    }
  }

  private var anyPet: Pet? { face.pets.isEmpty ? nil : face.pets[random.below(face.pets.count)] }

  private var anyOwner: Owner? {
    face.owners.isEmpty ? nil : face.owners[random.below(face.owners.count)]
  }

  private func change() {
    switch random.below(12) {
    case 0, 1, 2: createPet()
    case 3: createOwner()
    case 4, 5: anyPet.map(assign)
    case 6: anyPet.map(editCollections)
    case 7: anyOwner.map(edit)
    case 8: if random.oneIn(3), let pet = anyPet { face.store.delete(pet) }
    case 9:
      if random.oneIn(4) { face.store.delete(face.pets.filter("age == %@", random.below(10))) }
    case 10: fail()
    default: if let pet = anyPet { pet["friend"] = anyPet }
    }
  }

  private func values() -> [String: Any] {
    var values: [String: Any] = [:]
    if random.oneIn(2) { values["name"] = random.pick(["a", "bo", "cy"]) }
    if random.oneIn(2) { values["age"] = random.below(10) }
    if random.oneIn(4) { values["weight"] = Double(random.below(9)) / 2 }
    if random.oneIn(4) { values["isGood"] = random.oneIn(2) }
    if random.oneIn(4) { values["born"] = Date(timeIntervalSince1970: Double(random.below(99))) }
    if random.oneIn(4) { values["price"] = random.below(100) }
    if random.oneIn(4) { values["data"] = Data([UInt8(random.below(200))]) }
    if random.oneIn(4) { values["tags"] = ["x", "y", "z"].shuffled(using: &random) }
    if random.oneIn(4) { values["marks"] = [1, nil, random.below(9)] as [Int?] }
    if random.oneIn(4) { values["extra"] = random.pick([1, "text", 2.5, [1, 2]] as [Any]) }
    if random.oneIn(4) {
      values["toy"] = ["label": "rope", "size": random.below(5)] as [String: Any]
    }
    if random.oneIn(4) {
      values["toys"] = (0..<random.below(3)).map { ["label": "\($0)"] as [String: Any] }
    }
    return values
  }

  private func newKey() -> Int {
    nextKey += 1
    return random.oneIn(6) ? random.below(nextKey) : nextKey
  }

  private func createPet() {
    var values = values()
    values["id"] = newKey()
    if random.oneIn(4) {
      values["friend"] = random.oneIn(2) ? ["id": newKey(), "name": "friend"] : anyPet as Any
    }
    _ = face.create("NamedPet", values, random.pick([.error, .modified, .all]))
  }

  private func createOwner() {
    var values: [String: Any] = ["id": newKey(), "name": "owner"]
    if random.oneIn(2) { values["pets"] = [["id": newKey(), "age": 4], ["id": newKey()]] }
    if random.oneIn(2) { values["scores"] = ["go": random.below(9), "chess": 2] }
    if random.oneIn(3) { values["places"] = ["bed": ["id": newKey()] as [String: Any]] }
    _ = face.create("NamedOwner", values, random.pick([.error, .modified]))
  }

  private func assign(_ pet: Pet) {
    for (name, value) in values().sorted(by: { $0.key < $1.key }) { pet[name] = value }
    if random.oneIn(5) { pet[random.pick(["age", "isGood", "born", "friend", "toy"])] = nil }
  }

  private func editCollections(_ pet: Pet) {
    guard let tags = pet["tags"] as? MutableSet<String>, let marks = pet["marks"] as? List<Int?>
    else { return }
    tags.insert(random.pick(["x", "y", "w"]))
    marks.append(random.oneIn(2) ? nil : random.below(5))
    if random.oneIn(3) { marks.remove(at: random.below(marks.count)) }
  }

  private func edit(_ owner: Owner) {
    guard let pets = owner["pets"] as? List<Pet>, let scores = owner["scores"] as? Map<String, Int>
    else { return }
    if let pet = anyPet { pets.append(pet) }
    if pets.count > 1, random.oneIn(2) { pets.move(from: 0, to: pets.count - 1) }
    if pets.count > 2, random.oneIn(2) { pets.remove(at: random.below(pets.count)) }
    scores[random.pick(["go", "chess", "poker"])] = random.oneIn(3) ? nil : random.below(50)
  }

  /// What the write refuses at its end.
  private func fail() {
    switch random.below(6) {
    case 0: _ = face.create("NamedPet", ["id": nextKey + 100, "nme": "x"], .error)
    case 1: _ = face.create("NamedPet", ["id": nextKey + 100, "age": "old"], .error)
    case 2: if let pet = anyPet { _ = face.create("NamedPet", ["id": pet["id"] as Any], .error) }
    case 3: _ = face.create("NamedPet", ["id": nextKey + 100, "friend": ["nme": 1]], .error)
    default: break
    }
  }

  private var state: String {
    let pets = face.pets
    var lines = pets.map { pet in
      namedProperties.map { "\($0)=\(namedText(pet[$0]))" }.joined(separator: " ")
    }
    lines += face.owners.map { owner in
      ["id", "name", "pets", "scores", "places"].map { namedText(owner[$0]) }.joined(separator: " ")
    }
    let old = pets.filter("age >= 2 AND weight < %@", 3.5).sorted(
      byKeyPath: "age", ascending: false)
    lines.append(namedText(old) + namedText(pets.distinct(by: ["name"])))
    lines.append(
      "\(pets.sum(ofProperty: "age") as Int) \(pets.average(ofProperty: "weight") as Double?) "
        + "\(pets.min(ofProperty: "born") as Date?) \(pets.max(ofProperty: "friend.age") as Int?) "
        + "\(pets.values(ofProperty: "friend.name") as [String?])")
    lines.append(
      (0..<5).map { namedText(face.find($0)) }.joined() + " \(pets.freeze().count)"
        + " \(pets.last.map { pets.index(of: $0) ?? -1 } ?? -2)")
    return lines.joined(separator: "\n")
  }
}
