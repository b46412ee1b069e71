/// `ObjectBase` and its subclasses, as types that their own methods can name.
///
/// What programs see of an object is declared here rather than in the class: then a subclass can have a property of the
/// same name.
public protocol ObservableObjectBase: ObjectBase {}

extension ObjectBase: ObservableObjectBase {}
