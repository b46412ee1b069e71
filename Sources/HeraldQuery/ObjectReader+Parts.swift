package import HeraldModel

extension ObjectReader {
  /// What stands at the end of steps into a property: into a value of any type, or into a collection
  /// of such; nil where they lead nowhere. Without steps, the single value.
  package func part(
    of property: PropertyID, _ object: ObjectID, _ shape: PropertyShape, at steps: [ValueStep]
  ) -> Value? {
    guard exists(object) else { return nil }
    let whole: Value?
    switch (shape, steps.first) {
    case (.single, _): return value(property, of: object).part(at: steps)
    case (.list, .row(let row)?):
      let count = listCount(property, of: object)
      whole = row >= 0 && row < count ? listElement(property, of: object, at: row) : nil
    case (.map, .key(let key)?): whole = mapValue(forKey: key, property, of: object)
    case (_, _): whole = nil
    }
    return whole?.part(at: steps.dropFirst())
  }
}
