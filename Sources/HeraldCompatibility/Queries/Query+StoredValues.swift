public import Herald

// A collection of a type of the program's own as that of what the store has: a list or a map, whatever its kind is, as queries
// read the same of all.

extension Query where T: StoredCollection, T.Element: PersistableEnum {
  /// The raw values.
  public var rawValue: Query<List<T.Element.RawValue>> { elements() }
}

extension Query
where
  T: StoredCollection, T.Element: QueryableOptional, T.Element.Wrapped: PersistableEnum
{
  /// The raw values; nil for nil.
  public var rawValue: Query<List<T.Element.Wrapped.RawValue?>> { elements() }
}

extension Query where T: StoredCollection, T.Element: ConvertedPersistable {
  /// The values as they are stored.
  public var persistableValue: Query<List<T.Element.PersistedType>> { elements() }
}

extension Query
where
  T: StoredCollection, T.Element: QueryableOptional,
  T.Element.Wrapped: ConvertedPersistable
{
  /// The values as they are stored; nil for nil.
  public var persistableValue: Query<List<T.Element.Wrapped.PersistedType?>> { elements() }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum {
  /// The raw values.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { elements() }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: QueryableOptional, T.Value.Wrapped: PersistableEnum
{
  /// The raw values; nil for nil.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> { elements() }
}

extension Query where T: RealmKeyedCollection, T.Value: ConvertedPersistable {
  /// The values as they are stored.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> { elements() }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: QueryableOptional,
  T.Value.Wrapped: ConvertedPersistable
{
  /// The values as they are stored; nil for nil.
  public var persistableValue: Query<Map<T.Key, T.Value.Wrapped.PersistedType?>> { elements() }
}
