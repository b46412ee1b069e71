/// A class of objects that are part of another one, and deleted with it.
///
///     class Address: EmbeddedObject { @Persisted var city = "" }
///     class Person: Object { @Persisted var address: Address? }
open class EmbeddedObject: ObjectBase {}
