/// A `postgresql://` URL, parsed only for its user and password (PostgreSQL manual, section 34.1.1.2).
struct DatabaseURL: Sendable, Equatable {
  private let scheme: Substring
  /// As written, with escapes.
  private let userInfo: Substring
  /// Hosts, database and parameters.
  private let rest: Substring

  /// - Parameter source: the name of the setting, for error messages: "TANDEM_DATABASE_URL".
  init(_ text: String, source: String) throws(Complaint) {
    guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else {
      throw Complaint(usage: "\(source) is not a URL that begins with postgresql://")
    }
    let authority = text.dropFirst(scheme.count)
    self.scheme = text.prefix(scheme.count)
    let host = authority.prefix { $0 != "/" && $0 != "?" }
    if let at = host.lastIndex(of: "@") {
      userInfo = authority[..<at]
      rest = authority[authority.index(after: at)...]
    } else {
      userInfo = ""
      rest = authority
    }
  }

  /// `nil` if the URL has none.
  var user: String? {
    let user = userInfo.prefix { $0 != ":" }
    return user.isEmpty ? nil : Self.unescaped(user)
  }

  /// `nil` if the URL has none.
  var password: String? {
    userInfo.firstIndex(of: ":").map { Self.unescaped(userInfo[userInfo.index(after: $0)...]) }
  }

  /// The URL of the same database with another user. Neither text may need escapes.
  func url(user: String, password: String) -> String { "\(scheme)\(user):\(password)@\(rest)" }

  /// The URL of another database of the same server, with the same user.
  func url(database: String) -> String {
    let parameters = rest.firstIndex(of: "?").map { rest[$0...] } ?? ""
    let hosts = rest.prefix { $0 != "/" && $0 != "?" }
    return "\(scheme)\(userInfo.isEmpty ? "" : "\(userInfo)@")\(hosts)/\(database)\(parameters)"
  }

  /// The URL without the password, for output.
  var shown: String { user.map { "\(scheme)\($0)@\(rest)" } ?? "\(scheme)\(rest)" }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(Substring(rest.prefix(2)))
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
