import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

@Suite struct DependencyTests {
  static let queries: [(String, [String])] = [
    ("owner.name == 'x' and ANY owner.dogs.age > 3", ["owner.name", "owner.dogs.age"]),
    ("toys.@count > 1", ["toys"]), ("toys.@sum.price > 1", ["toys.price"]), ("TRUEPREDICATE", []),
    ("age > 3 or not age == height", ["age", "age", "height"]), ("age == $max.age", ["age"]),
    ("toys[0].name == 'x'", ["toys.name"]), ("owner == nil", ["owner"]),
    ("@links.Person.dogs.name == 'x'", ["<Person.dogs.name"]), ("scores + 1 > 3", ["scores"]),
    ("@links.Person.dogs.@count > 1", ["<Person.dogs"]),
    ("owner.dogs.scores.@count > 1", ["owner.dogs", "owner.dogs.scores"]),
    ("SUBQUERY(toys, $t, $t.price > 1).@count > 0", ["toys", "toys.price"]),
    (
      "SUBQUERY(owner.dogs, $d, SUBQUERY($d.toys, $t, $t.price > $d.age).@count > 0).@count > 0",
      ["owner.dogs", "owner.dogs.toys", "owner.dogs.toys.price", "owner.dogs.age"]
    ),
  ]

  @Test(arguments: queries)
  func `names every path that is read`(text: String, paths: [String]) throws {
    let kennel = KennelStore()
    let query = try kennel.query("where " + text)
    let printed = query.predicate.dependencies.map { path in
      path.steps.map { step in
        let owner = KennelStore.schema.classSchema(step.classID)!
        switch step.kind {
        case .property(let id): return owner.property(id)!.name
        case .backlinks(let origin, let property):
          let origin = KennelStore.schema.classSchema(origin)!
          return "<\(origin.name).\(origin.property(property)!.name)"
        }
      }.joined(separator: ".")
    }
    #expect(Set(printed) == Set(paths))
    #expect(printed.count == Set(printed).count)
    #expect(query.predicate.dependencies.allSatisfy { $0.root == query.classID })
    #expect(query.predicate.isAlways == (text == "TRUEPREDICATE"))
  }

  @Test func `conditions and expressions about no object`() throws {
    let kennel = KennelStore()
    func value(_ text: String) throws -> String {
      let (expression, end) = try QueryParser.parseExpression(Array(text.utf8), from: 0)
      #expect(end == text.utf8.count)
      let bound = try BoundExpression.bind(
        expression, schema: KennelStore.schema, names: kennel.names)
      switch try bound.value(kennel.store) {
      case .value(let value): return value.literalText
      case .values(let values): return "[" + values.map(\.literalText).joined(separator: ", ") + "]"
      case .objects(let classID, let numbers): return "\(classID.rawValue): \(numbers)"
      }
    }
    #expect(try value("$max.age + 1") == "5")
    #expect(try value("Dog.@count") == "5")
    #expect(try value("Dog.@min.age") == "-1")
    #expect(try value("Dog.@sum.age * 2") == "34")
    #expect(try value("'x'") == "\"x\"")
    #expect(try value("Dog#3.name") == "\"rex\"")
    #expect(try value("Person#'Ann'.dogs") == "1: [1, 2, 1]")
    #expect(try value("$max") == "object 1#1")
    #expect(try value("$max.tags") == "[\"big\", \"brown\"]")
    #expect(try value("$max.owner.dogs[1].name") == "\"Ida\"")
    #expect(try value("$some.@count") == "2")
    #expect(try value("-3 - -4") == "1")
    #expect(throws: QueryError.self) { try value("$max.age + 9223372036854775807") }
    for (text, answer) in [
      ("Dog.@count == 5", true), ("$max.age == 4 and $max.owner == $ann", true), ("$n > 4", false),
      ("'big' IN $max.tags", true), ("Dog.@max.age < Person.@max.age", true),
    ] {
      let (predicate, _) = try QueryParser.parsePredicate(Array(text.utf8), from: 0)
      let bound = try BoundPredicate.bind(
        predicate, root: nil, schema: KennelStore.schema, names: kennel.names)
      #expect(bound.matches(0, kennel.store) == answer, "\(text)")
      #expect(bound.dependencies.isEmpty)
    }
  }
}
