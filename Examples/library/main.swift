import Herald

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
}
let store = try Store()  // Store(path: "dogs.hdb") keeps it in a file
let dogs = store.objects(Dog.self).where { $0.age > 2 }.sorted(by: \.name)
let token = dogs.observe { change in print(change.insertions, dogs.map(\.name)) }
try store.write { store.create(Dog.self, value: ["name": "Max", "age": 3]) }
store.refresh()  // prints [0] ["Max"]; a program that runs its main loop needs no refresh
