import Herald

/// An object that a variable names in every session, and its literal for messages after its deletion.
struct HeldObject {
  let id: ObjectID
  let label: ObjectLabel

  init(_ object: ObjectHandle) {
    id = object.id
    label = object.label
  }

  var name: String { LiteralText.text(label) }
}
