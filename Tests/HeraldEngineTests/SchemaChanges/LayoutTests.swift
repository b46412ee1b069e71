import HeraldModel
import TestSupport
import Testing

@testable import HeraldEngine

/// A schema that grows by one class after the other lies in storage as one that is made at once.
struct LayoutTests {
  /// What a layout says of every class.
  private func words(_ layout: Layout) -> [String] {
    layout.schema.classes.map { classSchema in
      let id = classSchema.id
      let form = layout.form(id)
      let columns = form?.columns.map { "\($0)" } ?? []
      let incoming = layout.incoming(to: id).map {
        "\($0.origin.rawValue).\($0.property.rawValue) \($0.column)"
      }
      return "\(classSchema.name) \(form?.undeclared ?? "-") \(form?.mayHoldEmbedded ?? false) "
        + "\(columns) \(incoming)"
    }
  }

  private func randomClass(
    _ id: ClassID, _ name: String, _ schema: inout Schema, _ generator: inout SplitMix64
  ) -> ClassSchema {
    var properties: [PropertySchema] = []
    for number in 1...UInt32.random(in: 1...4, using: &generator) {
      let type: PropertyType
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: type = PropertyType(.int)
      case 1: type = PropertyType(.any, shape: .list)
      case 2: type = PropertyType(.string, isOptional: true)
      default:
        // A class that is there, or one that is named for the first time.
        let target = schema.number(
          ofClassNamed: "C\(Int.random(in: 0..<12, using: &generator))")
        let isBack = Int.random(in: 0..<5, using: &generator) == 0
        type = PropertyType(.link(target), shape: isBack ? .backlinks("p1") : .single)
      }
      properties.append(PropertySchema(id: PropertyID(number), name: "p\(number)", type: type))
    }
    return ClassSchema(
      id: id, name: name, isEmbedded: Int.random(in: 0..<6, using: &generator) == 0,
      properties: properties)
  }

  @Test(arguments: seeds(20))
  func `what the last layout gives holds for the next one`(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var schema = Schema()
    var layout = Layout(schema: schema)
    for _ in 0..<40 {
      let name = "C\(Int.random(in: 0..<12, using: &generator))"
      let known = schema.classSchema(named: name)
      if let known, Int.random(in: 0..<4, using: &generator) == 0 {
        schema.remove(known.id)
        // Nobody may lead to what is not there.
        for other in schema.classes
        where other.properties.contains(where: { $0.type.linkedClass == known.id }) {
          schema.put(
            ClassSchema(
              id: other.id, name: other.name, isDeclared: false, properties: [],
              nextProperty: other.nextProperty))
        }
      } else if known?.isDeclared != true {
        let id = known?.id ?? schema.nextClass
        if known == nil {
          schema.put(ClassSchema(id: id, name: name, isDeclared: false, properties: []))
        }
        let declared = randomClass(id, name, &schema, &generator)
        schema.remove(id)
        schema.put(declared)
      }
      layout = Layout(schema: schema, after: layout)
      #expect(words(layout) == words(Layout(schema: schema)))
      #expect(layout.encodedSchema == schema.encoded())
      #expect(try Schema(encoded: layout.encodedSchema) == schema)
      let again = Schema(classes: schema.classes)
      for classSchema in schema.classes {
        #expect(schema.classSchema(classSchema.id) == again.classSchema(classSchema.id))
        #expect(schema.classSchema(named: classSchema.name) == classSchema)
      }
    }
  }
}
