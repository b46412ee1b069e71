import HeraldMaintenance
import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Objects are migrated from one form of their class to another, block by block.
@Suite struct ClassMigrationTests {
  private static func property(
    _ id: UInt32, _ type: PropertyType, isKey: Bool = false, isIndexed: Bool = false,
    name: String? = nil
  ) -> PropertySchema {
    PropertySchema(
      id: PropertyID(id), name: name ?? "p\(id)", type: type, isPrimaryKey: isKey,
      isIndexed: isIndexed)
  }

  private func migration(_ old: [PropertySchema], _ new: [PropertySchema]) -> ClassMigration {
    ClassMigration(
      from: ClassSchema(id: ClassID(1), name: "Box", properties: old),
      to: ClassSchema(id: ClassID(1), name: "Box", properties: new))
  }

  @Test func `a migration is what differs in the objects`() {
    let int = PropertyType(.int)
    let old = [
      Self.property(1, int, isKey: true), Self.property(2, int), Self.property(3, int),
      Self.property(4, int, isIndexed: true), Self.property(5, int),
      Self.property(6, PropertyType(.link(ClassID(1)), shape: .backlinks("a"))),
      Self.property(7, int),
    ]
    let new = [
      Self.property(1, int, isKey: true), Self.property(2, int, name: "renamed"),
      Self.property(3, PropertyType(.string)), Self.property(4, int),
      Self.property(5, PropertyType(.int, isOptional: true)),
      Self.property(6, PropertyType(.link(ClassID(1)), shape: .backlinks("b"))),
      Self.property(8, int),
    ]
    let migration = migration(old, new)
    #expect(migration.dropped.map(\.name) == ["p7"])
    #expect(migration.added.map(\.name) == ["p8"])
    #expect(migration.changed.map(\.new.name) == ["p3", "p4", "p5"])
    // Only another type has other values.
    #expect(migration.changed.map(\.isOfType) == [true, false, false])
    #expect(migration.doubtfulKey == nil)
  }

  /// A key before and after, and whether its values must be checked.
  struct KeyChange: Sendable {
    let old: (element: ElementType, isKey: Bool)
    let new: (element: ElementType, isKey: Bool)
    let isDoubtful: Bool
  }

  static let keyChanges = [
    KeyChange(old: (.int, true), new: (.int, true), isDoubtful: false),
    KeyChange(old: (.int, false), new: (.int, true), isDoubtful: true),
    KeyChange(old: (.string, true), new: (.int, true), isDoubtful: true),
    KeyChange(old: (.int, true), new: (.int, false), isDoubtful: false),
  ]

  @Test(arguments: keyChanges)
  func `a key must be checked if it is new, or has other values`(_ change: KeyChange) {
    let migration = migration(
      [Self.property(1, PropertyType(change.old.element), isKey: change.old.isKey)],
      [Self.property(1, PropertyType(change.new.element), isKey: change.new.isKey)])
    #expect(migration.doubtfulKey?.id == (change.isDoubtful ? PropertyID(1) : nil))
  }

  // MARK: Random alterations

  /// The forms in which a property has an integer, or nil.
  private enum Form: CaseIterable {
    case int, string, double, decimal, list

    var element: ClassDefinition.Property.Element {
      switch self {
      case .int, .list: .int
      case .string: .string
      case .double: .double
      case .decimal: .decimal
      }
    }

    func value(_ number: Int?) -> Value {
      guard let number else { return self == .list ? .list([]) : .null }
      return switch self {
      case .int: .int(number)
      case .string: .string("\(number)")
      case .double: .double(Double(number))
      case .decimal: .decimal(Decimal128(number))
      case .list: .list([.int(number)])
      }
    }

    func property(_ name: String, isIndexed: Bool, defaultNumber: Int?) -> ClassDefinition.Property
    {
      ClassDefinition.Property(
        name: name, element: element, shape: self == .list ? .list : .single,
        isOptional: self != .list, isIndexed: isIndexed && self != .list,
        defaultValue: defaultNumber.map { PropertyContent(elementsOf: value($0)) })
    }
  }

  @Test(arguments: seeds(6))
  func `objects have their values in each form that the class takes`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(ClassDefinition(name: "Box", properties: []))
    var forms: [String: Form] = [:]
    var rows: [[String: Int]] = []
    var nextName = 0
    func check() throws {
      let boxes = try session.objects("Box")
      for (name, form) in forms {
        let values = try boxes.map { try session.read(name, of: $0) }
        #expect(values == rows.map { form.value($0[name]) }, "seed \(seed), \(name)")
      }
      #expect(boxes.count == rows.count, "seed \(seed)")
    }
    for _ in 0..<12 {
      try session.write {
        for _ in 0..<random.below(60) {
          var row: [String: Int] = [:]
          for name in forms.keys.sorted() where random.chance(70) { row[name] = random.below(9) }
          try session.add(named: "Box", forms.keys.sorted().map { ($0, forms[$0]!.value(row[$0])) })
          rows.append(row)
        }
        for _ in 0..<random.below(8) where !rows.isEmpty {
          let index = random.below(rows.count)
          try session.delete(try session.objects("Box")[index])
          rows.remove(at: index)
        }
        for _ in 0..<1 + random.below(3) {
          let isIndexed = random.chance(50)
          let form = random.pick(Form.allCases)
          let name = forms.keys.sorted().randomElement(using: &random)
          switch random.below(4) {
          case 0 where name != nil:
            try session.alter("Box", [.drop(name!)])
            forms[name!] = nil
            for index in rows.indices { rows[index][name!] = nil }
          case 1 where name != nil:
            nextName += 1
            try session.alter("Box", [.rename(name!, to: "n\(nextName)")])
            forms["n\(nextName)"] = forms.removeValue(forKey: name!)
            for index in rows.indices {
              rows[index]["n\(nextName)"] = rows[index].removeValue(forKey: name!)
            }
          case 2 where name != nil:
            // The text of 3.0 is not that of an integer.
            if form == .string, forms[name!] == .double || forms[name!] == .decimal { continue }
            try session.alter(
              "Box", [.change(form.property(name!, isIndexed: isIndexed, defaultNumber: nil))])
            forms[name!] = form
          default:
            nextName += 1
            let number = random.chance(50) ? random.below(9) : nil
            try session.alter(
              "Box",
              [.add(form.property("n\(nextName)", isIndexed: isIndexed, defaultNumber: number))])
            forms["n\(nextName)"] = form
            for index in rows.indices { rows[index]["n\(nextName)"] = number }
          }
        }
      }
      try check()
      #expect(session.check() == [], "seed \(seed)")
    }
  }
}
