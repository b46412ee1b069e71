import HeraldCompatibility

let realm = try! Realm()

// Observe realm notifications
let token = realm.observe { notification, realm in
    // ... handle update
    print("an update")
}

addDog(to: realm)

// Later, pass the token in an array to the realm.write(withoutNotifying:)
// method to write without sending a notification to that observer.
try! realm.write(withoutNotifying: [token]) {
    // ... write to realm
    realm.add(Dog())
}

countDogs(of: realm)

// Finally
token.invalidate()
