/// The full name of a method, as typed on the command line.
struct MethodName: Equatable {
  let service: String
  let method: String

  /// Takes `package.Service/Method` and `package.Service.Method`.
  init?(_ text: String) {
    guard let separator = text.lastIndex(of: "/") ?? text.lastIndex(of: "."), separator != text.startIndex else {
      return nil
    }
    service = String(text[..<separator].drop { $0 == "/" })
    method = String(text[text.index(after: separator)...])
    guard !method.isEmpty, !service.isEmpty else { return nil }
  }
}
