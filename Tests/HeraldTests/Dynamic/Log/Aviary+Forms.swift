import Foundation
import Herald

extension Aviary {
  /// What every form of query reads, by its name.
  static func readings(_ store: Store, inOrder: Bool = true) throws -> [String: String] {
    var readings: [String: String] = [:]
    let forms = inOrder ? self.forms : self.forms.reversed()
    for (name, read) in forms { readings[name] = try read(store) }
    return readings
  }

  private static func rings(_ birds: some Sequence<Bird>) -> String {
    birds.map(\.ring).joined(separator: " ")
  }

  private typealias Form = (String, (Store) throws -> String)

  private static var forms: [Form] {
    objects + conditions + orders + aggregates + collections + byName
  }

  private static var objects: [Form] {
    [
      ("every object", { rings($0) { $0.text } }),
      (
        "every warden",
        { store in
          store.objects(Warden.self).map {
            "\($0.id) \($0.name) \(rings($0.birds)) \($0.home?.text ?? "")"
          }
          .joined(separator: ", ")
        }
      ),
      ("count", { "\($0.objects(Bird.self).count) \($0.objects(Warden.self).isEmpty)" }),
      (
        "by key",
        { store in
          (0...100_000).lazy.filter { $0 % 97 == 0 }.compactMap {
            store.object(ofType: Bird.self, forPrimaryKey: "r\($0)")?.text
          }.joined(separator: " ")
        }
      ),
      ("by key, another class", { $0.object(ofType: Warden.self, forPrimaryKey: 1)?.name ?? "-" }),
      (
        "first, last and by index",
        { store in
          let birds = store.objects(Bird.self)
          return rings([birds.first, birds.last, birds[birds.count / 2]].compactMap(\.self))
        }
      ),
      (
        "index of an object",
        { store in
          let birds = store.objects(Bird.self).sorted(by: \.age)
          let index = birds.index(of: birds[7]) ?? -1
          return "\(index) \(birds.index(matching: { $0.age > 4 }) ?? -1)"
        }
      ),
      (
        "projections",
        { store in
          store.objects(BirdCard.self).map {
            "\($0.title) \($0.ageOfMate ?? -1) \($0.height ?? -1) \($0.chicks) \($0.wardens)"
          }.joined(separator: ", ")
        }
      ),
      (
        "projections by a field",
        { store in
          store.objects(BirdCard.self).where { $0.ageOfMate > 4 }.sorted(by: \.title).map(\.title)
            .joined(separator: " ")
        }
      ),
      ("descriptions", { "\($0.objects(Warden.self)) \($0.objects(Bird.self)[3])" }),
    ]
  }

  private static func rings(_ store: Store, _ text: (Bird) -> String) -> String {
    store.objects(Bird.self).map(text).joined(separator: ", ")
  }

  private static func matches(
    _ name: String, _ condition: @escaping (Query<Bird>) -> Query<Bool>
  ) -> Form {
    (
      "where \(name)",
      { store in
        let found = store.objects(Bird.self).where(condition)
        return "\(found.count) \(found.first?.ring ?? "-") \(rings(found))"
      }
    )
  }

  private static var conditions: [Form] {
    [
      matches("indexed") { $0.age == 3 },
      matches("indexed range") { $0.age > 3 && $0.age <= 6 },
      matches("key") { $0.ring.starts(with: "r1") },
      matches("double") { $0.weight < 2.5 },
      matches("float") { $0.span >= 1 },
      matches("Boolean") { $0.isShy },
      matches("optional") { $0.years > 4 || $0.nick == nil },
      matches("text") { $0.nick.contains("K 5", options: .caseInsensitive) },
      matches("date") { $0.seen > Date(timeIntervalSince1970: 4 * 86_400) },
      matches("decimal") { $0.price >= 5 },
      matches("enum") { $0.plumage.in([.red, .blue]) },
      matches("any") { $0.extra == .int(5) || $0.extra == .string("x") },
      matches("link") { $0.mate.age > 4 },
      matches("links in a row") { $0.mate.mate.nick != nil },
      matches("nil link") { $0.mate == nil },
      matches("embedded") { $0.nest.height > 12 },
      matches("embedded list") { $0.nests.height == 3 },
      matches("list of links") { $0.chicks.age > 7 },
      matches("count of a list") { $0.chicks.count > 0 && $0.marks.count < 2 },
      matches("aggregate of a list") { $0.marks.sum > 5 || $0.chicks.age.max == 3 },
      matches("set") { $0.notes.contains("n3") },
      matches("map") { $0.counts["c1"] > 3 },
      matches("keys of a map") { $0.counts.keys == "c2" },
      matches("backlinks") { $0.parents.age > 5 },
      matches("count of backlinks") { $0.wardens.count > 0 },
      matches("arithmetic") { $0.age * 2 + 1 == 7 || $0.age % 4 == 1 },
      matches("not") { !($0.age < 8) && !$0.isShy },
      (
        "where in words",
        { store in
          let birds = store.objects(Bird.self)
          return try [
            "age BETWEEN {2, 4} AND NOT isShy == true",
            "SUBQUERY(chicks, $c, $c.age > 3).@count > 0",
            "ANY parents.mate.age > 3", "extra[0] > 3", "friends.f1.age > 2", "ALL marks > 3",
            "nick MATCHES 'nick [3-5]'", "@links.Warden.birds.@count > 0", "values[0] == 1",
            "seen.day == 3",
          ].map { "\(rings(try birds.query($0)))" }.joined(separator: "; ")
        }
      ),
      (
        "filter with arguments",
        { store in
          let other = store.objects(Bird.self).first { $0.mate != nil }?.mate
          return rings(store.objects(Bird.self).filter("mate == %@ AND age > %@", other, 1))
        }
      ),
      (
        "where of a link to an object",
        { store in
          guard let mate = store.objects(Bird.self).first(where: { $0.mate != nil })?.mate else {
            return ""
          }
          return rings(store.objects(Bird.self).where { $0.mate == mate })
        }
      ),
    ]
  }

  private static var orders: [Form] {
    [
      ("sorted", { rings($0.objects(Bird.self).sorted(by: \.age)) }),
      ("sorted, descending", { rings($0.objects(Bird.self).sorted(by: \.nick, ascending: false)) }),
      (
        "sorted by several",
        {
          rings(
            $0.objects(Bird.self).sorted(by: [
              SortDescriptor(keyPath: "plumage"),
              SortDescriptor(keyPath: "weight", ascending: false),
            ]))
        }
      ),
      ("sorted through a link", { rings($0.objects(Bird.self).sorted(byKeyPath: "mate.age")) }),
      (
        "sorted through an embedded object",
        { rings($0.objects(Bird.self).sorted(byKeyPath: "nest.height")) }
      ),
      ("distinct", { rings($0.objects(Bird.self).distinct(by: [\Bird.age])) }),
      (
        "distinct through a link",
        { rings($0.objects(Bird.self).distinct(by: ["mate.age", "isShy"])) }
      ),
      (
        "where, sorted, distinct",
        {
          rings(
            $0.objects(Bird.self).where { $0.age > 2 }.sorted(by: \.weight).distinct(by: ["nick"]))
        }
      ),
    ]
  }

  private static var aggregates: [Form] {
    [
      (
        "aggregates",
        { store in
          let birds = store.objects(Bird.self)
          return "\(birds.sum(\.age)) \(birds.min(\.weight) ?? -1) \(birds.max(\.seen) ?? .now) "
            + "\(birds.average(\.years) ?? -1) \(birds.sum(\.price)) \(birds.max(\.span) ?? -1)"
        }
      ),
      (
        "aggregates of a query",
        { store in
          let birds = store.objects(Bird.self).where { $0.age > 4 }
          let average: Double? = birds.average(ofProperty: "mate.age")
          return "\(birds.sum(\.weight)) \(birds.max(\.age) ?? -1) \(average ?? -1)"
        }
      ),
      (
        "columns",
        { store in
          let birds = store.objects(Bird.self)
          let mates: [Int?] = birds.values(ofProperty: "mate.age")
          return
            "\(birds.values(\.age)) \(birds.values(\.nick)) \(birds.where { $0.isShy }.values(\.weight)) "
            + "\(mates) \(birds.values(\.plumage)) \(birds.values(\.seen))"
        }
      ),
    ]
  }

  private static var collections: [Form] {
    [
      (
        "of lists",
        { store in
          rings(store) {
            let chicks = $0.chicks
            return "\(rings(chicks.where { $0.age > 3 })) \(rings(chicks.sorted(by: \.weight))) "
              + "\(chicks.sum(\.age)) \(chicks.max(\.years) ?? -1) \(chicks.values(\.nick)) "
              + "\(chicks.first?.ring ?? "-") \(chicks.index(matching: { $0.isShy }) ?? -1) "
              + "\(rings(chicks.distinct(by: ["age"])))"
          }
        }
      ),
      (
        "of lists of values",
        { store in
          rings(store) {
            "\($0.marks.sum()) \($0.marks.average() ?? -1) \($0.marks.max() ?? -1) "
              + "\($0.marks.contains(3)) \($0.marks.sorted(ascending: false)) \($0.marks.last ?? -1)"
          }
        }
      ),
      (
        "of embedded lists",
        { store in
          rings(store) {
            "\($0.nests.where { $0.height > 3 }.count) \($0.nests.sum(\.height)) "
              + "\($0.nests.sorted(by: \.height).map(\.text))"
          }
        }
      ),
      (
        "of sets",
        { store in
          rings(store) {
            "\($0.notes.contains("n1")) \($0.notes.count) \($0.notes.sorted(ascending: true)) "
              + "\(rings($0.rivals.sorted(by: \.ring))) \($0.rivals.where { $0.age > 4 }.count)"
          }
        }
      ),
      (
        "of maps",
        { store in
          rings(store) {
            "\($0.counts["c1"] ?? -1) \($0.counts["c2", default: 9]) \($0.counts.keys) "
              + "\($0.counts.values) \($0.counts.count) \($0.friends["f0"]??.age ?? -1)"
          }
        }
      ),
      (
        "of backlinks",
        { store in
          rings(store) {
            "\(rings($0.parents.sorted(by: \.ring))) \($0.parents.where { $0.age > 2 }.count) "
              + "\($0.parents.sum(\.age)) \($0.wardens.first?.name ?? "-")"
          }
        }
      ),
    ]
  }

  private static var byName: [Form] {
    [
      (
        "by the names of properties",
        { store in
          store.objects(Bird.self).prefix(50).map { "\($0["age"] ?? "") \($0["nick"] ?? "")" }
            .joined(separator: " ")
        }
      ),
      (
        "groups",
        { store in
          try store.untyped.groups(
            "Bird where age > 1 by plumage, mate.isShy { n: @count, s: @sum.weight, a: @avg.age, m: @max.seen }"
              + " sort(n desc)"
          ).rows.map { "\($0)" }.joined(separator: " ")
        }
      ),
      (
        "objects by name",
        { store in
          try store.untyped.objects("Bird").objects.map {
            "\(try $0.value("ring")) \(try $0.value("weight")) \(try $0.collection("marks").values)"
          }.joined(separator: " ")
        }
      ),
      (
        "elements of a list",
        { store in
          try store.untyped.objects("Bird").objects.map {
            "\(try $0.collection("marks").elements("where self > 3 sort(self desc)").values)"
          }.joined(separator: " ")
        }
      ),
    ]
  }
}
