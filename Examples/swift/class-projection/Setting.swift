import ExampleSupport
import HeraldCompatibility

class Address: EmbeddedObject { @Persisted var city = "" }

class Person: Object {
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var address: Address?
  @Persisted var friends: List<Person>
}

class PersonProjection: Projection<Person> {
  @Projected(\Person.firstName) var firstName
  @Projected(\Person.address?.city) var homeCity
  @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
}

func addPersons() {
  let realm = try! Realm()
  try! realm.write {
    for name in ["Eve", "Jason"] {
      realm.create(
        Person.self, value: ["firstName": name, "lastName": "Smith", "address": ["city": "Bree"]])
    }
    let persons = realm.objects(Person.self)
    persons[1].friends.append(persons[0])
  }
}

func change(_ projection: PersonProjection) {
  settle()
  let realm = try! Realm()
  try! realm.write { projection.rootObject.lastName = "Miller" }
  settle()
  try! realm.write { projection.rootObject.friends[0].firstName = "Adam" }
  settle()
  try! realm.write { projection.rootObject.firstName = "Daniel" }
  settle()
  try! realm.write { realm.delete(projection.rootObject) }
  settle()
}
