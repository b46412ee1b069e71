/// A change that can be the last one: why what is observed cannot be followed, or never could.
protocol FailableChange: SendableMetatype {
  static func error(_ error: any Error) -> Self
  /// Whether there may be no other though the observer lives.
  var isLast: Bool { get }
}

extension FailableChange {
  var isLast: Bool { false }
}

extension CollectionDelivery: FailableChange {}
extension CollectionChange: FailableChange {}
extension ObjectChange: FailableChange {}
extension MapChange: FailableChange {}
