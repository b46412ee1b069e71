import Herald

class Dog: Object {
  @Persisted var name = ""
}

do {
  _ = try Store(objectTypes: [Dog.self])
} catch {
  print(error)
}
