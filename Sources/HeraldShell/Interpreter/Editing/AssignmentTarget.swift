import Herald

/// The target of an assignment.
struct AssignmentTarget {
  enum Holder {
    case property(ObjectHandle, Name)
    case newProperty(NewObject, Name)
    case projected(DynamicProjection, Name)
    case row(LiveCollection, Int, SourceSpan)
    case key(LiveCollection, String, SourceSpan)
  }
  /// A step into a value: into a list or a map of an `any`, or a list of an object that is not in the
  /// store.
  struct NestedStep {
    var step: ValueStep
    var span: SourceSpan
  }
  var holder: Holder
  var nestedSteps: [NestedStep] = []
}
