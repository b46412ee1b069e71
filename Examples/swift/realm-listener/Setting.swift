import ExampleSupport
import HeraldCompatibility

class Dog: Object { @Persisted var name = "" }

struct ViewController {
  func updateUI() { print("the user interface is updated") }
}

let viewController = ViewController()

func changeSomething() {
  let realm = try! Realm()
  try! realm.write { realm.add(Dog()) }
  settle()
  print("dogs: \(realm.objects(Dog.self).count)")
}
