import Cryptography
import Identifiers
import ImporterDomain
import OAuth2
import ProviderDocuments
import WorkerPool

/// What the importer has to know of a provider: where its users consent, how its pages are asked for, and how they map to
/// the one model ([IM-6], [IM-7]). An adapter is pure: it makes requests and reads answers, and others send them.
package protocol ProviderAdapter: Sendable {
  /// The id that calls, settings and rows name the provider by, such as `strava`.
  var id: String { get }
  /// The name that users see.
  var name: String { get }
  /// The provider's own endpoints, unless the settings name others.
  var endpoints: ProviderEndpoints { get }
  /// The page where users see what has access to their account, and end it.
  var consentPage: String { get }
  var authorization: AuthorizationTerms { get }
  /// What is imported, in order.
  var streams: [DataStream] { get }
  /// By how much each further import overlaps the one before, because trackers are
  /// synchronised late and providers correct what they have sent.
  var reach: SyncReach { get }

  /// The request for a page.
  func request(for stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) -> DataRequest
  /// Reads a page.
  func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, _ answer: DataAnswer,
    on thread: borrowing PoolThread
  ) throws(PageFault) -> DataPage
  /// The request for one activity that the provider's webhook has named; `nil` where there is none, and the list of what is new is
  /// asked for instead.
  func request(forActivity id: String) -> DataRequest?
  /// Reads the answer to that as a page of one activity.
  func page(ofActivity answer: DataAnswer, on thread: borrowing PoolThread) throws(PageFault) -> DataPage
  /// Adds what a further request of a page has brought to the activity that it is about.
  func add(_ answer: DataAnswer, to activity: inout ImportedActivity, on thread: borrowing PoolThread)
  /// Words of the provider's own errors that say that the user has not allowed something, in small letters. A refusal without any of
  /// them may come from a proxy, or be of a suspended application: it says nothing of the user's consent ([IM-9]).
  var wordsOfMissingConsent: [String] { get }
  /// Whether a refusal is the provider's own and says that the access token is not valid (any more). One that does not may come
  /// from a proxy: new tokens may be asked for, but the consent has not ended by it ([IM-9]).
  func saysTokenEnded(_ answer: DataAnswer) -> Bool
  /// What an answer means by its status and, of an error, by what it says in short; `nil` where the whole body has to be read for that.
  func verdict(of answer: DataAnswer) -> AnswerVerdict?
  /// What an answer means by its body, before that is read as a page.
  func verdict(ofBody answer: DataAnswer, on thread: borrowing PoolThread) -> AnswerVerdict
  /// How many more requests the provider allows, by the header fields of an answer.
  func allowance(in headers: [String: String], at now: Instant) -> RequestAllowance

  /// The request that says who the user is at the provider, or registers the user there; `nil` where tokens say it.
  var introduction: DataRequest? { get }
  /// The provider's id of the user, from the answer of the token endpoint or to the ``introduction``.
  func subject(in document: [UInt8]) -> String?
  /// The request that revokes a user's tokens; `nil` where the provider has none.
  func revocation(of tokens: RevokedTokens, at endpoints: ProviderEndpoints) -> DataRequest?

  /// Reads a call of the provider's webhook; `nil` where the provider has none.
  var webhook: (any ProviderWebhook)? { get }
}

extension ProviderAdapter {
  package func request(forActivity id: String) -> DataRequest? { nil }
  package func page(ofActivity answer: DataAnswer, on thread: borrowing PoolThread) throws(PageFault) -> DataPage {
    throw .shape
  }
  package func add(_ answer: DataAnswer, to activity: inout ImportedActivity, on thread: borrowing PoolThread) {}
  package func verdict(of answer: DataAnswer) -> AnswerVerdict? { usualVerdict(of: answer) }
  package func verdict(ofBody answer: DataAnswer, on thread: borrowing PoolThread) -> AnswerVerdict { .page }
  package var wordsOfMissingConsent: [String] { [] }

  /// What an answer means by its status, and of a refusal by what it says.
  func usualVerdict(of answer: DataAnswer) -> AnswerVerdict {
    guard answer.status == 401 || answer.status == 403 else { return AnswerVerdict(status: answer.status) }
    if answer.says(Self.standardWords + wordsOfMissingConsent) { return .notGranted }
    guard answer.status == 401 else { return .failing }
    return saysTokenEnded(answer) ? .tokenRefused : .unauthorized
  }

  package func saysTokenEnded(_ answer: DataAnswer) -> Bool { answer.saysInvalidToken }

  /// RFC 6750, section 3.1.
  private static var standardWords: [String] { ["insufficient_scope"] }
  package func allowance(in headers: [String: String], at now: Instant) -> RequestAllowance { RequestAllowance() }
  package var introduction: DataRequest? { nil }
  package func revocation(of tokens: RevokedTokens, at endpoints: ProviderEndpoints) -> DataRequest? { nil }
  package var webhook: (any ProviderWebhook)? { nil }
  package var reach: SyncReach { SyncReach() }
}

/// The URLs of a provider, each `https://…` without a slash at its end.
package struct ProviderEndpoints: Sendable, Hashable {
  /// The page where users consent.
  package var authorization: String
  package var token: String
  /// Where tokens are revoked; `nil` if nowhere.
  package var revocation: String?
  /// What the paths of requests are appended to.
  package var data: String

  package init(authorization: String, token: String, revocation: String?, data: String) {
    self.authorization = authorization
    self.token = token
    self.revocation = revocation
    self.data = data
  }
}

/// How a provider issues tokens, where it departs from RFC 6749.
package struct AuthorizationTerms: Sendable {
  /// What is between scopes: RFC 6749 says a space.
  package var scopeSeparator = " "
  package var dialect = TokenDialect.standard
  package var authentication = ClientRegistration.Authentication.basic
  /// Parameters of the page where users consent, beyond RFC 6749 and RFC 7636.
  package var additions: [String: String] = [:]
  /// How long an access token works if the provider does not say.
  package var usualLifetime: Duration = .seconds(3_600)

  package init() {}
}

/// Something that a provider has pages of.
package struct DataStream: Sendable, Hashable {
  /// Names the stream in stored cursors; never changed.
  package let name: String
  package let kind: DataKind
  /// Any of these scopes allows it.
  package let scopes: Set<String>

  package init(_ name: String, _ kind: DataKind, anyOf scopes: Set<String>) {
    (self.name, self.kind, self.scopes) = (name, kind, scopes)
  }
}

/// A kind of data that a tracker brings in. The raw values are stored.
package enum DataKind: String, Sendable, Hashable, CaseIterable {
  case activities = "ACTIVITIES"
  case steps = "STEPS"
  case sleep = "SLEEP"
  case weight = "WEIGHT"
}

/// How far back imports go.
package struct SyncReach: Sendable, Hashable {
  /// Days of the first import, unless the user wants others.
  package static let defaultDays: Int32 = 365
  /// 2000-01-01: no provider has anything of days before, and some do not understand them.
  private static let earliest = Instant(microseconds: 946_684_800_000_000)
  /// The overlap of each further one with the one before.
  package var overlap: Duration = .seconds(7 * 86_400)

  package init() {}

  /// The time of which an import fetches data.
  ///
  /// - Parameters:
  ///   - days: how far the first import reaches back.
  ///   - deleted: until when the user has deleted what was imported.
  package func window(
    since last: Instant?, of days: Int32 = defaultDays, behind deleted: Instant? = nil, until now: Instant
  ) -> SyncWindow {
    let first = max(now - .seconds(Int64(days) * 86_400), min(Self.earliest, now))
    let earliest = max(first, min(deleted ?? first, now))
    return SyncWindow(since: last.map { max($0 - overlap, earliest) } ?? earliest, until: now)
  }
}

/// The time of which data is imported.
package struct SyncWindow: Sendable, Hashable {
  package let since: Instant
  package let until: Instant

  package init(since: Instant, until: Instant) { (self.since, self.until) = (since, until) }
}

/// Where the next page begins; at most 1,000 bytes.
package struct PageCursor: Sendable, Hashable {
  package let text: String

  /// `nil` for an empty text and for one that cannot be stored: it is too long, or has a zero byte.
  package init?(_ text: String) {
    guard (1...1_000).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    self.text = text
  }

  init(number: Int64) { text = String(number) }
}

/// A request for data, relative to the provider's endpoint: what a provider calls the URL of the next page is not followed.
package struct DataRequest: Sendable, Hashable {
  package enum Method: String, Sendable, Hashable { case get, post, delete }

  package var method: Method
  /// Begins with `/`; or a whole URL of the provider's endpoints.
  package var path: String
  /// Names and values of the query, or of the form of a POST.
  package var fields: [Field]
  /// A JSON text to post instead of a form.
  package var json: String?
  /// Whether the access token is sent along, as it is with all requests for data.
  package var credentials: Credentials

  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package enum Credentials: Sendable, Hashable {
    case accessToken
    /// None: what the request contains is enough.
    case none
  }

  package init(
    _ method: Method, _ path: String, _ fields: KeyValuePairs<String, String> = [:], json: String? = nil,
    with credentials: Credentials = .accessToken
  ) {
    self.method = method
    self.path = path
    self.fields = fields.map { Field(name: $0.key, value: $0.value) }
    self.json = json
    self.credentials = credentials
  }
}

/// An answer of a provider.
package struct DataAnswer: Sendable {
  package let status: Int
  package let body: [UInt8]
  /// By lower-case names; of several fields of a name the first.
  package let headers: [String: String]

  package init(status: Int, body: [UInt8], headers: [String: String] = [:]) {
    (self.status, self.body, self.headers) = (status, body, headers)
  }
}

/// What an answer means for the import.
package enum AnswerVerdict: Sendable, Hashable {
  /// The body is a page.
  case page
  /// The access token is not accepted (any more), as the provider's own error says.
  case tokenRefused
  /// A refusal like that of a token, in words that are not the provider's.
  case unauthorized
  /// The token is good, but not for this: the user has not allowed it.
  case notGranted
  /// Too many requests: wait, at least as long as the headers say.
  case tooMany
  /// The interface does not exist any more.
  case gone
  /// The provider fails, and may not later.
  case failing
  /// An answer that means nothing known: a redirection, or a refusal of our request.
  case unexpected

  package init(status: Int) {
    self =
      switch status {
      case 200: .page
      case 401: .unauthorized
      case 429: .tooMany
      case 410: .gone
      // What a refusal means its words say.
      case 403, 408, 425, 500...: .failing
      default: .unexpected
      }
  }
}

/// How many more requests a provider allows.
package struct RequestAllowance: Sendable, Hashable {
  /// Requests that are left in the present window; `nil` if the provider does not say.
  package var left: Int64?
  /// How long to send none; `nil` if there is no need to wait.
  package var wait: Duration?

  package init(left: Int64? = nil, wait: Duration? = nil) { (self.left, self.wait) = (left, wait) }

  /// From fields with the limits, the uses and the seconds to the end of several windows, each `100,1000`.
  init(limits: String?, uses: String?, waits: [Duration]) {
    guard let limits = Self.numbers(limits), let uses = Self.numbers(uses), limits.count == uses.count else { return }
    let left = zip(limits, uses).map { max($0 - $1, 0) }
    self.left = left.min()
    wait = zip(left, waits).filter { $0.0 == 0 }.map(\.1).max()
  }

  static func numbers(_ text: String?) -> [Int64]? {
    let numbers = text?.split(separator: ",").map { Int64($0.filter { $0 != " " }) } ?? []
    // Of numbers below zero a difference may be none.
    let read = numbers.compactMap { $0 }.filter { $0 >= 0 }
    return read.isEmpty || read.count != numbers.count ? nil : read
  }
}

/// Why an answer is no page.
package enum PageFault: Error, Sendable, Hashable {
  /// It cannot be read at all.
  case unreadable(JSONValue.Refusal)
  /// It is JSON of another shape than documented.
  case shape
}

/// The records of a page.
package struct DataPage: Sendable {
  package var records = ImportedBatch()
  /// Records that could not be read, and were left out.
  package var skipped = 0
  /// `nil` after the last page.
  package var next: PageCursor?
  /// Further requests, each about one of the activities by its index.
  package var details: [(activity: Int, request: DataRequest)] = []

  package init() {}

  /// A digest of what the records are of, whatever they say, by which a page that comes again is known; `nil` without records.
  package var digest: Int64? {
    let ids =
      records.activities.map(\.externalID) + records.steps.map { "\($0.day)" } + records.sleeps.map(\.externalID)
      + records.weights.map { "\($0.measuredAt)" } + records.compositions.map { "\($0.measuredAt)" }
    guard !ids.isEmpty else { return nil }
    let hash = Digest.sha256(Array(ids.joined(separator: "\n").utf8))
    return hash.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// The tokens of a connection that has ended.
package struct RevokedTokens: Sendable {
  package let access: String
  package let refresh: String?
  package let subject: String?

  package init(access: String, refresh: String?, subject: String?) {
    (self.access, self.refresh, self.subject) = (access, refresh, subject)
  }
}

extension DataAnswer {
  /// The body as JSON, however long the provider has made it.
  func json(on thread: borrowing PoolThread) throws(PageFault) -> JSONValue {
    do { return try JSONValue(body) } catch { throw .unreadable(error) }
  }

  /// Bytes of an error that are looked at.
  private static let maxErrorBytes = 10_000

  /// The body of an error as JSON; `nil` if it is longer than an error is, or no JSON.
  var errorJSON: JSONValue? { body.count <= Self.maxErrorBytes ? JSONValue(short: body) : nil }

  /// Whether it is an error of the provider's own that has one of these words in it: JSON, or the header field for that.
  func says(_ words: [String]) -> Bool {
    let challenge = headers["www-authenticate"]?.lowercased() ?? ""
    if words.contains(where: challenge.contains) { return true }
    guard let text = errorJSON?.json.lowercased() else { return false }
    return words.contains(where: text.contains)
  }

  /// RFC 6750, section 3.1.
  var saysInvalidToken: Bool { says(["invalid_token"]) }
}
