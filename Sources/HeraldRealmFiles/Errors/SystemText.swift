import Glibc

/// The system's text for an `errno`, such as "No such file or directory".
func systemText(_ code: Int32) -> String {
  String(cString: strerror(code))
}
