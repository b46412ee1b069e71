import Herald

enum Mood: String, PersistableEnum { case calm, wild }

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var months: Int?
  @Persisted var mood = Mood.calm
  @Persisted var temper: Mood?
  @Persisted var moods: List<Mood>
  @Persisted var friend: Dog?
}

class Named: Object {
  @Persisted var description = ""
}

class NamedCard: Projection<Dog> {
  @Projected(\Dog.name) var rootObject
}

func mistakes(_ store: Store) {
  let dogs = store.objects(Dog.self)
  _ = dogs.where { $0.age > "five" }
  _ = dogs.where { $0.age > 1 && $0.nam == "Max" }
  _ = dogs.where { $0.name == "Max" && $0.months == "five" && $0.age < 5 }
  _ = dogs.where { $0.age + 1 > "five" && $0.age < 5 }
  _ = dogs.where { $0.name.starts(with: 5) }
  _ = dogs.max(\.name)
  _ = dogs.sum(\.name)
  _ = dogs.sum(\.agee)
  _ = dogs.average(\.agee)
  let total: Int = dogs.sum(\.agee)
  print(dogs.sum(\.agee), total)
  _ = dogs.values(\.agee)
  _ = dogs.where { $0.mood == .wlid }
  _ = dogs.where { $0.age > 3 && $0.mood != .wlid }
  _ = dogs.where { $0.temper == .wlid }
  _ = dogs.where { $0.friend.mood == .wlid && $0.age > 3 }
  _ = dogs.where { $0.mood.in([.calm, .wlid]) }
  _ = dogs.where { $0.moods.contains(.wlid) }
  _ = dogs.where { $0.friend.agee > 3 }
  _ = dogs.sorted(by: [SortDescriptor(keyPath: \Dog.agee)])
  store.create("Dog")
  store.add(5)
}
