import ExampleSupport
import HeraldCompatibility

class Dog: Object {
  @Persisted var age = 0
  @Persisted var isPuppy = true
}

func addDog() -> Dog {
  let realm = try! Realm()
  let dog = Dog()
  try! realm.write { realm.add(dog) }
  return dog
}

func age(_ dog: Dog) {
  for age in 1...3 {
    try! dog.realm!.write { dog.age = age }
    settle()
    print(dog)
  }
}
