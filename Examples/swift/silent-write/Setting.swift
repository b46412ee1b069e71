import ExampleSupport
import HeraldCompatibility

class Dog: Object { @Persisted var name = "" }

func addDog(to realm: Realm) {
  try! realm.write { realm.add(Dog()) }
  countDogs(of: realm)
}

func countDogs(of realm: Realm) {
  settle()
  print("dogs: \(realm.objects(Dog.self).count)")
}
