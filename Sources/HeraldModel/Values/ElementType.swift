/// The type of a single value in a store, where links refer to classes by number.
public typealias ElementType = ValueType<ClassID>
