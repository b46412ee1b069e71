import Herald

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var months: Int?
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
  store.create("Dog")
  store.add(5)
}
