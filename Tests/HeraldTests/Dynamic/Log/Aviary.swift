import Foundation
import Herald

enum Plumage: String, PersistableEnum { case gray, red, blue }

final class Nest: EmbeddedObject {
  @Persisted var height = 0
  @Persisted var label: String?
  var text: String { "\(height) \(label ?? "-")" }
}

final class Warden: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var birds: List<Bird>
  @Persisted var home: Nest?
}

final class Bird: Object {
  @Persisted(primaryKey: true) var ring: String
  @Persisted(indexed: true) var age = 0
  @Persisted var weight = 0.0
  @Persisted var span: Float = 0
  @Persisted var isShy = false
  @Persisted var nick: String?
  @Persisted var years: Int?
  @Persisted var seen: Date
  @Persisted var price: Decimal128
  @Persisted var photo: Data
  @Persisted var tag: UUID
  @Persisted var chip: ObjectId
  @Persisted var plumage = Plumage.gray
  @Persisted var extra: AnyValue
  @Persisted var mate: Bird?
  @Persisted var nest: Nest?
  @Persisted var chicks: List<Bird>
  @Persisted var nests: List<Nest>
  @Persisted var marks: List<Int>
  @Persisted var notes: MutableSet<String>
  @Persisted var rivals: MutableSet<Bird>
  @Persisted var counts: Map<String, Int>
  @Persisted var friends: Map<String, Bird?>
  @Persisted var values: List<AnyValue>
  @Persisted(originProperty: "chicks") var parents: LinkingObjects<Bird>
  @Persisted(originProperty: "birds") var wardens: LinkingObjects<Warden>

  /// Every property, links by their keys.
  var text: String {
    let single =
      "\(ring) \(age) \(weight) \(span) \(isShy) \(nick ?? "-") \(years ?? -1) "
      + "\(seen.timeIntervalSince1970) \(price) \(photo.count) \(tag) \(chip) \(plumage) "
      + "\(extra.text) \(mate?.ring ?? "-") \(nest?.text ?? "-")"
    let friends = self.friends.keys.sorted().map { "\($0) \(self.friends[$0]??.ring ?? "-")" }
    let counts = self.counts.keys.sorted().map { "\($0) \(self.counts[$0] ?? -1)" }
    return single + " \(chicks.map(\.ring)) \(nests.map(\.text)) \(Array(marks)) \(notes.sorted()) "
      + "\(rivals.map(\.ring).sorted()) \(counts) \(friends) \(values.map(\.text)) "
      + "\(parents.map(\.ring).sorted()) \(wardens.map(\.id).sorted())"
  }
}

final class BirdCard: Projection<Bird> {
  @Projected(\Bird.ring) var title
  @Projected(\Bird.mate?.age) var ageOfMate
  @Projected(\Bird.nest?.height) var height
  @Projected(\Bird.chicks.projectTo.ring) var chicks: ProjectedCollection<String>
  @Projected(\Bird.wardens.projectTo.name) var wardens: ProjectedCollection<String>
}

extension AnyValue {
  fileprivate var text: String {
    switch self {
    case .object(let object): (object as? Bird)?.ring ?? (object as? Warden)?.name ?? "?"
    case .list(let values): "[\(values.map(\.text).joined(separator: " "))]"
    case .dictionary(let entries):
      "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" })}"
    default: description
    }
  }
}

/// Birds whose every property changes at random, and what can be read about them.
enum Aviary {
  static func fill(_ store: Store, _ random: inout TestRandom) {
    for id in 0..<3 { store.create(Warden.self, value: ["id": id, "name": "warden \(id)"]) }
    for _ in 0..<300 { add(store, &random) }
    for _ in 0..<600 { change(store, &random) }
  }

  private static func add(_ store: Store, _ random: inout TestRandom) {
    let bird = Bird()
    bird.ring = "r\(Int.random(in: 0...100_000, using: &random))"
    bird.tag = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(bird.ring.count)") ?? UUID()
    bird.chip = try! ObjectId(string: "0123456789abcdef01234567")
    bird.seen = Date(timeIntervalSince1970: 0)
    store.add(bird, update: .modified)
  }

  /// Changes one bird or warden, adds one or deletes one.
  static func change(_ store: Store, _ random: inout TestRandom) {
    let birds = store.objects(Bird.self)
    guard birds.count > 20 else { return add(store, &random) }
    func anyBird(_ random: inout TestRandom) -> Bird {
      birds[Int.random(in: 0..<birds.count, using: &random)]
    }
    let bird = anyBird(&random)
    let number = Int.random(in: 0...9, using: &random)
    switch Int.random(in: 0...33, using: &random) {
    case 0: add(store, &random)
    case 1: store.delete(bird)
    case 2, 3: bird.age = number
    case 4: bird.weight = Double(number) / 2
    case 5: bird.span = Float(number) / 4
    case 6: bird.isShy.toggle()
    case 7: bird.nick = number < 3 ? nil : "nick \(number)"
    case 8: bird.years = number < 3 ? nil : number
    case 9: bird.seen = Date(timeIntervalSince1970: Double(number) * 86_400)
    case 10: bird.price = Decimal128(number)
    case 11: bird.photo = Data(repeating: 1, count: number * 100)
    case 12: bird.plumage = [.gray, .red, .blue][number % 3]
    case 13: bird.extra = [.int(number), .string("x"), .none, .double(1.5)][number % 4]
    case 14: bird.extra = .list([.int(number), .dictionary(["a": .int(1), "b": .list([])])])
    case 15: bird.extra = .object(anyBird(&random))
    case 16, 17: bird.mate = number == 0 ? nil : anyBird(&random)
    case 18: bird.nest = number == 0 ? nil : Nest(value: ["height": number, "label": "l\(number)"])
    case 19: bird.nest?.height = number + 10
    case 20, 21: bird.chicks.append(anyBird(&random))
    case 22: if !bird.chicks.isEmpty { bird.chicks.remove(at: 0) }
    case 23: if bird.chicks.count > 1 { bird.chicks.move(from: 0, to: 1) }
    case 24: bird.nests.append(Nest(value: ["height": number]))
    case 25:
      if !bird.nests.isEmpty { bird.nests[0].height += 1 }
      if bird.nests.count > 1 { bird.nests.removeLast() }
    case 26: bird.marks.insert(number, at: bird.marks.count / 2)
    case 27: if !bird.marks.isEmpty { bird.marks[0] = number } else { bird.marks.append(3) }
    case 28: number < 6 ? bird.notes.insert("n\(number)") : bird.notes.removeAll()
    case 29: bird.rivals.insert(anyBird(&random))
    case 30: bird.counts["c\(number % 4)"] = number < 7 ? number : nil
    case 31: bird.friends["f\(number % 3)"] = .some(number < 8 ? anyBird(&random) : nil)
    case 32: bird.values.append(number < 5 ? .int(number) : .object(anyBird(&random)))
    default:
      let wardens = store.objects(Warden.self)
      guard let warden = wardens.randomElement(using: &random) else { return }
      if number < 6 {
        warden.birds.append(bird)
      } else if number < 8, !warden.birds.isEmpty {
        warden.birds.remove(at: 0)
      } else if number == 8 {
        warden.home = Nest(value: ["height": number])
      } else {
        warden.name += "!"
      }
    }
  }
}
