import Herald

/// An element of a collection that a statement assigns, removes or moves.
struct TargetElement {
  var collection: any EditableCollection
  var step: ValueStep
  var span: SourceSpan
}
