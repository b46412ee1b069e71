/// A class of objects that a store holds on their own: the superclass of a program's classes.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///       @Persisted var age: Int?
///     }
open class Object: ObjectBase {}
