import Foundation
import Herald

enum Breed: String, PersistableEnum { case collie, dachshund }

class Collar: EmbeddedObject {
  @Persisted var color = "red"
}

class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name = ""
  @Persisted var isGood = true
  @Persisted var age: Int?
  @Persisted var small: Int8
  @Persisted var weight = 1.5
  @Persisted var height: Float
  @Persisted var born: Date
  @Persisted var photo: Data
  @Persisted var chip: UUID
  @Persisted var key: ObjectId
  @Persisted var price: Decimal128
  @Persisted var extra: AnyValue
  @Persisted var breed = Breed.collie
  @Persisted var collar: Collar?
  @Persisted var friend: Dog?
  @Persisted var toys: List<String>
  @Persisted var siblings: List<Dog>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<Dog>
}

class Card: Projection<Dog> { @Projected(\Dog.name) var title }

let store = try Store()
let token = store.objects(Dog.self).where { $0.age > 5 && $0.name.starts(with: "M") }
  .observe { change in
    switch change {
    case .initial(let dogs): print("initial", dogs.count)
    case .update(_, let deletions, let insertions, let modifications):
      print(deletions, insertions, modifications)
    case .error(let error): print(error)
    }
  }
store.refresh()
let max = Dog()
max.id = 1
max.name = "Max"
max.age = 6
max.extra = .list([.int(1), .string("one")])
max.collar = Collar()
max.toys.append("ball")
max.tags.insert("good")
max.scores["jump"] = 3
try store.write {
  store.add(max)
  store.create(Dog.self, value: ["id": 2, "name": "Rex", "friend": max])
}
store.refresh()
let objectToken = max.observe { change in
  guard case .change(_, let properties) = change else { return }
  for property in properties { print(property.name, property.newValue ?? "nil") }
}
try store.write {
  max.breed = .dachshund
  max.age = nil
}
store.refresh()
print(max.admirers.count, max.collar?.color ?? "none", max.toys[0], max.scores["jump"] ?? 0)
print(store.objects(Dog.self).sorted(by: \.name).map(\.name))
print(store.objects(Card.self).first { $0.title == "Rex" }?.title ?? "none")
print(
  store.objects(Dog.self).where {
    $0.age == nil && $0.name.starts(with: "M") && $0.weight <= 1.5 && $0.friend.name != "Rex"
      && $0.siblings.age < 4 || $0.small + 1 > 0 && $0.toys.contains("ball") && $0.isGood
  }.count)
token.invalidate()
objectToken.invalidate()
