/// A change that can be the last one: why what is observed cannot be followed, or never could.
protocol FailableChange: SendableMetatype {
  static func error(_ error: any Error) -> Self
}

extension CollectionDelivery: FailableChange {}
extension CollectionChange: FailableChange {}
extension ObjectChange: FailableChange {}
extension MapChange: FailableChange {}
