import CLibPQ
import Glibc
import Synchronization

/// A connection, passed from the thread that made it to the loop that owns it.
///
/// `@unchecked Sendable`: it is handed over, never shared; the thread that made it does not touch it afterwards.
struct NewConnection: @unchecked Sendable {
  let raw: OpaquePointer
}

/// Makes connections to one database.
///
/// All of connecting, name lookup, TLS and password hashing included, blocks a thread of its own: libpq's asynchronous
/// connecting looks names up synchronously, at every host of a multi-host URL, and its other work takes milliseconds
/// that a loop's callers would wait for.
struct Connector: Sendable {
  /// The setting that makes a session's transactions read-only by default.
  static let readOnlySetting = "default_transaction_read_only"
  private let url: CurrentURL
  private let defaults: [(String, String)]
  private let settings: [(name: String, value: String)]

  /// - Parameter file: contains the URL and is read again for each connection; until it can be read, `url` is used.
  /// - Throws: ``PostgresError`` of kind `parameter` when `url` is invalid.
  init(
    url: String, file: String? = nil, defaults: [(String, String)], settings: [(name: String, value: String)]
  ) throws(PostgresError) {
    self.url = CurrentURL(url, file: file)
    self.defaults = defaults
    self.settings = settings
    _ = try options(for: url)
  }

  /// The options for libpq, by keyword.
  private func options(for url: String) throws(PostgresError) -> [(keyword: String, value: String)] {
    var given = try Self.parse(url)
    for (keyword, value) in defaults where given[keyword] == nil { given[keyword] = value }
    // libpq would look for Kerberos credentials at each connection, and a thread that does so while the process exits
    // aborts it: the locks of libkrb5 are destroyed by then.
    if given["gssencmode"] == nil, getenv("PGGSSENCMODE") == nil { given["gssencmode"] = "disable" }
    // To libpq a session that is read-only by default is not read-write, whatever server it is on. The URL means the
    // server.
    if given["target_session_attrs"] == "read-write", settings.contains(where: { $0.name == Self.readOnlySetting }) {
      given["target_session_attrs"] = "primary"
    }
    let ours = settings.map { "-c \($0.name)=\(Self.escaped($0.value))" }.joined(separator: " ")
    given["options"] = [given["options"], ours].compactMap { $0 }.joined(separator: " ")
    given["client_encoding"] = "UTF8"
    return given.sorted { $0.key < $1.key }.map { (keyword: $0.key, value: $0.value) }
  }

  /// The options for libpq at present: those of the file, as long as it contains a URL.
  private func currentOptions() throws(PostgresError) -> [(keyword: String, value: String)] {
    guard let text = url.written else { return try options(for: url.value) }
    do throws(PostgresError) {
      let options = try options(for: text)
      url.keep(text)
      return options
    } catch {
      return try options(for: url.value)
    }
  }

  /// The keywords of a URL or a keyword/value text. The error's message shows nothing of the text, which may contain a
  /// password.
  private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
    guard !isPasswordElsewhere(in: url), let parsed = PQconninfoParse(url, nil) else { throw unreadable }
    defer { PQconninfoFree(parsed) }
    var given: [String: String] = [:]
    var option = parsed
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    // A URL without a host has its password where the port would be, and libpq names a port that is none.
    guard given["port"]?.utf8.allSatisfy({ $0 == 0x2C || (0x30...0x39).contains($0) }) ?? true else { throw unreadable }
    return given
  }

  private static let unreadable = PostgresError(
    kind: .parameter, sqlState: "08001",
    message: """
      the database URL cannot be read: it looks like postgresql://user:password@host:port/database, with %40 for @ and \
      %2F for / in a password
      """)

  /// Whether a password with `@` or `/` that is not escaped ends early for libpq, which would name the rest as a host or a database that it
  /// cannot find.
  private static func isPasswordElsewhere(in url: String) -> Bool {
    guard let scheme = ["postgresql://", "postgres://"].first(where: url.hasPrefix) else { return false }
    var rest = url.dropFirst(scheme.count)
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
      rest = rest[end...].dropFirst()
    }
    return rest.prefix { $0 != "?" }.contains("@")
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      if character == " " || character == "\\" { text.append("\\") }
      text.append(character)
    }
  }

  /// Connects; blocks, so not on a loop.
  func connect() throws(PostgresError) -> NewConnection {
    let options = try currentOptions()
    var keywords: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.keyword)) }
    var values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.value)) }
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    keywords.append(nil)
    values.append(nil)
    guard let raw = PQconnectdbParams(keywords, values, 0) else {
      throw PostgresError.unavailable("out of memory")
    }
    guard PQstatus(raw) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(raw)).split(whereSeparator: \.isNewline).joined(separator: " ")
      PQfinish(raw)
      throw PostgresError.unavailable(message, "08001")
    }
    // The default processor prints to standard error.
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
    return NewConnection(raw: raw)
  }

  /// Connects on a thread of its own and passes the result, ready for a pipeline, to `completion` on that thread.
  func connectPipelined(_ completion: @escaping @Sendable (Result<NewConnection, PostgresError>) -> Void) {
    connect(completion) { raw in
      PQsetnonblocking(raw, 1) == 0 && PQenterPipelineMode(raw) == 1 ? nil : "the connection has no pipeline mode"
    }
  }

  /// Like ``connectPipelined(_:)``, but the connection is ready for notifications.
  func connectListening(_ completion: @escaping @Sendable (Result<NewConnection, PostgresError>) -> Void) {
    connect(completion) { raw in PQsetnonblocking(raw, 1) == 0 ? nil : "the connection cannot be used without blocking"
    }
  }

  /// - Parameter prepare: prepares a connection; returns why it cannot.
  private func connect(
    _ completion: @escaping @Sendable (Result<NewConnection, PostgresError>) -> Void,
    _ prepare: @escaping @Sendable (OpaquePointer) -> String?
  ) {
    let started = BackgroundThread.start {
      do throws(PostgresError) {
        let new = try connect()
        if let problem = prepare(new.raw) {
          PQfinish(new.raw)
          throw PostgresError.unavailable(problem)
        }
        completion(.success(new))
      } catch {
        completion(.failure(error))
      }
    }
    if !started { completion(.failure(.unavailable("the system grants no more threads"))) }
  }
}
