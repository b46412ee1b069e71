extension Array where Element: AnyObject {
  /// Each object once, in their order.
  var unique: [Element] {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
