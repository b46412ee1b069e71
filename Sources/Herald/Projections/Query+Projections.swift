import HeraldQuery

extension Query where T: ProjectionElement {
  /// A field that is one property of each object of a collection: a comparison holds if it holds for any of
  /// them.
  public subscript<V>(
    dynamicMember path: KeyPath<T, ProjectedCollection<V>>
  ) -> Query<ProjectedCollection<V>> {
    let steps = context.steps(of: path)
    // The last step is the property of the elements.
    return Query<ProjectedCollection<V>>(
      .path(steps, collection: steps.dropLast().count), context)
  }
}
