import ExampleSupport
import HeraldCompatibility

func changeSiblings() {
  let realm = try! Realm()
  let dog = Dog()
  try! realm.write {
    realm.add(dog)
    dog.siblings.append(Dog())
  }
  for keyPath in ["siblings", "siblings.name"] {
    print("key path \(keyPath):")
    let token = dog.observe(keyPaths: [keyPath]) { change in
      guard case .change(let dog, let properties) = change else { return }
      print("  \(properties.map(\.name)) changed: \(dog.siblings.map(\.name))")
    }
    settle()
    print("a sibling is added")
    try! realm.write { dog.siblings.append(Dog()) }
    settle()
    print("a sibling gets a name")
    try! realm.write { dog.siblings[0].name += "Rex" }
    settle()
    print("a sibling gets older")
    try! realm.write { dog.siblings[0].age = 3 }
    settle()
    token.invalidate()
  }
}
