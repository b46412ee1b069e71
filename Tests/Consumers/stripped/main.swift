import Herald

class Dog: Object {
  @Persisted var name = ""
}

class Cat: Object {
  @Persisted var name = "Tom"

  override class func makeObjectTable() throws -> ObjectTable {
    try ObjectTable(of: self, [DeclaredProperty("name", \Cat.name)])
  }
}

do {
  _ = try Store(objectTypes: [Dog.self])
} catch {
  print(error)
}

let store = try Store()
try store.write { store.add(Cat()) }
print(store.objects(Cat.self).where { $0.name == "Tom" })
