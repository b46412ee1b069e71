import ExampleSupport
import HeraldCompatibility

class Dog: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var age = 0
    @Persisted var toys: List<String>
}

let realm = try! Realm()
try! realm.write { realm.create(Dog.self, value: ["name": "Rex", "age": 3, "toys": ["ball"]]) }

// What follows names no type of the program: the class could be another program's.
func show(_ className: String, in realm: Realm) {
    let objects = realm.dynamicObjects(className)
    let classSchema = realm.store.dynamic.schema.classSchema(named: className)
    for property in classSchema?.properties ?? [] {
        let values = objects.map { "\($0[property.name] ?? "nil")" }
        print("\(property.name): \(values.joined(separator: ", "))")
    }
}

show("Dog", in: realm)

let dogs = realm.dynamicObjects("Dog").filter("age > 2").sorted(byKeyPath: "name")
let token = dogs.observe { change in
    guard case .update(let dogs, let deletions, let insertions, let modifications) = change else { return }
    print(dogs.map { "\($0["name"]!)" }, deletions, insertions, modifications)
}
settle()

try! realm.write {
    realm.dynamicCreate("Dog", value: ["name": "Max", "age": 9])
    realm.dynamicObject(ofType: "Dog", forPrimaryKey: "Rex")?["age"] = 1
}
settle()

try! realm.write { realm.delete(dogs) }
settle()
show("Dog", in: realm)
