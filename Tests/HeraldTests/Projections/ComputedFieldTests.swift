import Foundation
import Herald
import Testing

private final class Guest: Object {
  @Persisted var lastName = ""
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var home: Lodging?
  @Persisted var friend: Guest?
  @Persisted var rooms: List<Int>
  var greeting: String { "Hello, \(lastName)" }
  var both: String { lastName + "\(rooms.count)" }
  var rooming: String { "\(rooms.count)" + lastName }
}

private final class Lodging: EmbeddedObject { @Persisted var city = "" }

private final class GuestCard: Projection<Guest> {
  @Projected(\Guest.lastName.localizedUppercase) var caps
  @Projected(\Guest.lastName) var name
  @Projected(\Guest.home?.city.count) var length
  @Projected(\Guest.friend?.home?.city.localizedUppercase) var friendCity
  @Projected(\Guest.rooms.count) var roomCount
  @Projected(\Guest.born.timeIntervalSince1970) var seconds
  @Projected(\Guest.greeting) var greeting
}

private final class BothCard: Projection<Guest> { @Projected(\Guest.both) var both }

private final class Party: Object {
  @Persisted var guests: List<Guest>
  @Persisted var next: Party?
}

private final class PartyCard: Projection<Party> {
  @Projected(\Party.guests.projectTo.both) var guests: ProjectedCollection<String>
  @Projected(\Party.guests.projectTo.greeting) var greetings: ProjectedCollection<String>
  @Projected(\Party.next?.guests.projectTo.rooming) var nextGuests: ProjectedCollection<String>?
}

/// Fields whose path goes on after the property, to a value that is computed of it.
@Suite(.serialized) @MainActor struct ComputedFieldTests {
  private func card() throws -> (Store, GuestCard) {
    let store = try Store()
    let guest = Guest()
    guest.lastName = "Baggins"
    guest.home = Lodging()
    guest.home?.city = "Bree"
    guest.friend = Guest()
    guest.friend?.home = Lodging()
    guest.friend?.home?.city = "Hobbiton"
    guest.rooms.append(objectsIn: [1, 2])
    let local = GuestCard(projecting: guest)
    #expect(local.caps == "BAGGINS" && local.length == 4 && local.friendCity == "HOBBITON")
    try store.write { store.add(guest) }
    return (store, local)
  }

  @Test func `a computed field is read, managed, frozen or not`() throws {
    let (store, card) = try card()
    #expect(card.caps == "BAGGINS" && card.length == 4 && card.friendCity == "HOBBITON")
    #expect(card.roomCount == 2 && card.seconds == 0 && card.greeting == "Hello, Baggins")
    #expect(card.freeze().caps == "BAGGINS" && card.description.contains("caps = BAGGINS"))
    try store.write { card.name = "Took" }
    #expect(card.caps == "TOOK" && card.greeting == "Hello, Took")
    try store.write { card.rootObject.home = nil }
    #expect(card.length == nil)
  }

  @Test func `a field of a collection may be computed of several properties of each object`() throws
  {
    let store = try Store()
    let party = Party()
    party.guests.append(objectsIn: ["Took", "Brandy"].map { Guest(value: ["lastName": $0]) })
    #expect(Array(PartyCard(projecting: party).guests) == ["Took0", "Brandy0"])
    try store.write { store.add(party) }
    let card = try #require(store.objects(PartyCard.self).first)
    let next = try store.write {
      store.create(Party.self, value: ["guests": [["lastName": "Bolger"]]])
    }
    try store.write { party.next = next }
    #expect(card.nextGuests.map { Array($0) } == ["0Bolger"])
    #expect(Array(card.guests) == ["Took0", "Brandy0"] && card.greetings.first == "Hello, Took")
    var names: [[String]] = []
    let token = card.observe { change in
      if case .change(_, let properties) = change { names.append(properties.map(\.name)) }
    }
    store.refresh()
    try store.write { party.guests[0].rooms.append(5) }
    #expect(card.guests.first == "Took1")
    try store.write { party.guests.append(Guest()) }
    store.refresh()
    try store.write { next.guests.removeAll() }
    store.refresh()
    #expect(names == [["guests", "greetings"], ["nextGuests"]] && card.guests.last == "0")
    token.invalidate()
  }

  @Test func `a computed field is observed as its property is`() throws {
    let (store, card) = try card()
    var changes: [String] = []
    let note = { (change: ObjectChange<GuestCard>) in
      guard case .change(_, let properties) = change else { return }
      for property in properties {
        changes.append(
          "\(property.name): \(property.oldValue ?? "none") to \(property.newValue ?? "none")")
      }
    }
    let tokens = [
      card.observe(keyPaths: ["caps", "length"], note),
      card.observe(keyPaths: [\.friendCity, \.roomCount], note),
    ]
    var rows: [String] = []
    let token = store.objects(GuestCard.self).observe(keyPaths: ["caps"]) { change in
      if case .update(_, _, _, let modifications) = change { rows.append("\(modifications)") }
    }
    store.refresh()
    try store.write { card.name = "Took" }
    store.refresh()
    try store.write { card.rootObject.home?.city = "Tuckborough" }
    store.refresh()
    try store.write { card.rootObject.friend?.home?.city = "Bree" }
    store.refresh()
    try store.write { card.rootObject.rooms.append(3) }
    store.refresh()
    #expect(
      changes == [
        "caps: BAGGINS to TOOK", "length: 4 to 11", "friendCity: HOBBITON to BREE",
        "roomCount: none to 3",
      ])
    #expect(rows == ["[0]"])
    for token in tokens + [token] { token.invalidate() }
  }

  @Test func `a computed field is not queried`() throws {
    let (store, _) = try card()
    let cards = store.objects(GuestCard.self)
    #expect(cards.where { $0.name == "Baggins" }.count == 1)
    #expect(throws: (any Error).self) { try cards.query("caps == 'BAGGINS'") }
    var error = ""
    let token = cards.where { $0.caps == "BAGGINS" }.observe {
      if case .error(let found) = $0 { error = "\(found)" }
    }
    store.refresh()
    #expect(
      error
        == "field 'caps' of projection 'GuestCard' is computed of 'lastName', and cannot be "
        + "queried")
    token.invalidate()
    #expect(throws: KeyPathError.self) { try BothCard._path(of: "both") }
  }

  @Test func `a computed field cannot be assigned`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let card = GuestCard(projecting: Guest())
      card.caps = "X"
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(printed.contains("field 'caps' of projection 'GuestCard' is read-only: it is computed"))
  }
}
