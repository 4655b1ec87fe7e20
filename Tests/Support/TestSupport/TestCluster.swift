import Glibc
import Synchronization

/// The PostgreSQL server that a test process's tests share: a private one that lives and dies with the process, or the one that `TANDEM_TEST_DATABASE_URL` names.
public struct TestCluster: Sendable {
  /// A superuser's URL, for the database `postgres`.
  public let url: String

  /// The process's server, started when first asked for.
  public static func shared() throws -> TestCluster {
    try sharedCluster.withLock { cluster in
      if let cluster { return cluster }
      let started: TestCluster
      if let url = getenv("TANDEM_TEST_DATABASE_URL") {
        started = TestCluster(url: String(cString: url))
      } else {
        let own = try PrivateCluster.start()
        PrivateCluster.shared.withLock { $0 = own }
        started = TestCluster(url: own.url)
      }
      cluster = started
      return started
    }
  }

  private static let sharedCluster = Mutex<TestCluster?>(nil)

  /// The same server, another database and, if given, another role.
  public func url(database: String, role: String? = nil, password: String = "") -> String {
    guard let scheme = url.range("://"), let path = url.lastIndex(of: "/"), path > scheme else { return url }
    let query = url[path...].firstIndex(of: "?").map { url[$0...] } ?? ""
    var authority = url[scheme..<path]
    if let role {
      let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
      authority = "\(role):\(password)@\(host)"
    }
    return "\(url[..<scheme])\(authority)/\(database)\(query)"
  }
}

extension String {
  /// Where `text` ends for the first time.
  fileprivate func range(_ text: String) -> Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
