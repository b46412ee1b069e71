import HeraldMaintenance
import HeraldModel
import Testing

@testable import HeraldEngine

/// Equal values in another form, 7 and 7.00 or 0.0 and -0.0: one that is set back within a write gets back the form that it
/// had, as one to which an equal value is assigned keeps its own.
@Suite struct AssignedFormTests {
  /// A value, an equal one in another form, and one that differs.
  struct Forms: Sendable {
    let element: ValueType<String>
    let stored: Value
    let equal: Value
    let other: Value
  }

  static let forms = [
    Forms(
      element: .decimal, stored: .decimal(Decimal128("7.00")!), equal: .decimal(Decimal128("7")!),
      other: .decimal(Decimal128("8")!)),
    Forms(element: .double, stored: .double(-0.0), equal: .double(0), other: .double(1)),
    Forms(element: .float, stored: .float(-0.0), equal: .float(0), other: .float(1)),
    Forms(
      element: .any, stored: .decimal(Decimal128("7.00")!), equal: .decimal(Decimal128("7")!),
      other: .string("x")),
  ]

  private func box(_ forms: Forms) throws -> (session: Session, id: ObjectID) {
    let session = try Session.made(
      ClassDefinition(
        name: "Box",
        properties: [
          .init(name: "single", element: forms.element),
          .init(name: "list", element: forms.element, shape: .list),
          .init(name: "set", element: forms.element, shape: .set),
          .init(name: "map", element: forms.element, shape: .map),
        ]))
    let id = try session.write {
      try session.add(
        "Box", ("single", forms.stored), ("list", .list([forms.stored])),
        ("set", .list([forms.stored])), ("map", .map(["k": forms.stored])))
    }
    return (session, id)
  }

  /// What the box has, a value for each property.
  private func values(_ session: Session, _ id: ObjectID) throws -> [Value] {
    try ["single", "list", "set", "map"].flatMap { name -> [Value] in
      switch try session.read(name, of: id) {
      case .list(let values): values
      case .map(let entries): Array(entries.values)
      case let value: [value]
      }
    }
  }

  private func haveForm(_ values: [Value], _ form: Value) -> Bool {
    values.count == 4 && values.allSatisfy { $0.hasSameForm(as: form) }
  }

  @Test(arguments: forms)
  func `a value that is set back has its form again`(_ forms: Forms) throws {
    let (session, id) = try box(forms)
    let text = try session.changes {
      try session.set(id, ("single", forms.other))
      try session.edit(id, "list", .replace(at: 0, with: forms.other))
      try session.edit(id, "set", .removeValue(forms.equal))
      try session.edit(id, "map", .setKey("k", forms.other))
      try session.set(id, ("single", forms.equal))
      try session.edit(id, "list", .replace(at: 0, with: forms.equal))
      try session.edit(id, "set", .insertValue(forms.equal))
      try session.edit(id, "map", .setKey("k", forms.equal))
    }
    #expect(text == "nothing")
    #expect(haveForm(try values(session, id), forms.stored))
  }

  @Test(arguments: forms)
  func `an equal value that is assigned leaves the form`(_ forms: Forms) throws {
    let (session, id) = try box(forms)
    let text = try session.changes {
      try session.set(id, ("single", forms.equal))
      try session.edit(id, "list", .replace(at: 0, with: forms.equal))
      try session.edit(id, "set", .insertValue(forms.equal))
      try session.edit(id, "map", .setKey("k", forms.equal))
    }
    #expect(text == "nothing")
    #expect(haveForm(try values(session, id), forms.stored))
  }

  @Test(arguments: forms)
  func `in a later write the new form is stored`(_ forms: Forms) throws {
    let (session, id) = try box(forms)
    for value in [forms.other, forms.equal] {
      try session.write {
        try session.set(
          id, ("single", value), ("list", .list([value])), ("set", .list([value])),
          ("map", .map(["k": value])))
      }
    }
    #expect(haveForm(try values(session, id), forms.equal))
    #expect(session.check() == [])
  }
}
