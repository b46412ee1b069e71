import HeraldCompatibility

let realm = try! Realm()

// Observe and obtain token
let token = realm.observe { notification, realm in print("an update") /* ... */ }

addDog(to: realm)

// Stop observing
token.invalidate()

addDog(to: realm)
