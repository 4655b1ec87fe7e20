import Environment
import Cryptography
import FieldViolations
import Identifiers
import ProtobufC
import TTRPC

/// Splits lists into pages by the keys of their order ([C-5]), so that rows added or removed meanwhile do not move
/// others between pages.
///
/// ```swift
/// let page = try pages.page(of: call, context, &bad, by: Instant.self, NoteID.self)
/// try bad.check()
/// let rows = try await database.rows(NotesAfter(page.after, limit: page.limit))   // where (created_at, id) > ($1, $2)
/// let (shown, next) = try page.cut(rows) { ($0.createdAt, $0.id) }
/// ```
/// The last key must be unique to a row. A page token is sealed: it reveals nothing of the rows, and is valid for the
/// same caller, method and filter only, for a day.
public struct Pages: Sendable {
  /// The size of a page when the request leaves it open ([C-5]).
  public static let defaultSize = 50
  /// The largest page; a larger `page_size` is cut to it ([C-5]).
  public static let largestSize = 200
  /// How long a token is valid.
  public static let lifetime: Duration = .seconds(24 * 3_600)

  private let seal: Seal
  private let clock: any WallClock

  public init(seal: Seal, clock: any WallClock) {
    self.seal = seal
    self.clock = clock
  }

  /// The page that `request` asks for; a bad `page_size` or `page_token` is added to `bad`.
  ///
  /// - Parameter elements: the types of the keys of the list's order.
  /// - Throws: `OpenSSLError` when OpenSSL itself fails.
  public func page<Request: PagedRequest, each Element: PageElement>(
    of request: Request, _ context: CallContext, _ bad: inout Violations, by elements: repeat (each Element).Type
  ) throws -> Page<repeat each Element> {
    if request.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", "PAGE_SIZE_INVALID") }
    let size = request.pageSize <= 0 ? Self.defaultSize : min(Int(request.pageSize), Self.largestSize)
    let tokens = PageTokens(seal: seal, clock: clock, binding: Self.binding(request, context))
    var after: (repeat each Element)?
    if !request.pageToken.isEmpty {
      after = try tokens.position(of: request.pageToken).flatMap { Page<repeat each Element>.position($0) }
      if after == nil {
        bad.add("page_token", "The page_token is not one of this list; begin without one", "PAGE_TOKEN_INVALID")
      }
    }
    return Page(size: size, after: after, tokens: tokens)
  }

  /// What a token is bound to. The page size is not part of it: it may change from one page to the next.
  private static func binding(_ request: some PagedRequest, _ context: CallContext) -> [UInt8] {
    var filter = request
    (filter.pageSize, filter.pageToken) = (0, "")
    var bytes = Array("page".utf8)
    for text in [context.method.fullName, context.caller?.subject ?? ""] { text.write(to: &bytes) }
    return bytes + Digest.sha256(filter.serialized())
  }
}

/// One page of a list ordered by keys of these types.
public struct Page<each Element: PageElement>: Sendable {
  /// Rows to return, at most.
  public let size: Int
  /// The keys of the row that the page begins after; `nil` for the first page.
  public let after: (repeat each Element)?
  private let tokens: PageTokens

  init(size: Int, after: (repeat each Element)?, tokens: PageTokens) {
    self.size = size
    self.after = after
    self.tokens = tokens
  }

  /// How many rows to read: one more than are returned, to know whether there is another page.
  public var limit: Int64 { Int64(size) + 1 }

  /// The rows to return of those that ``limit`` read, and the token of the next page; empty when this is the last.
  ///
  /// - Parameter key: the keys of the list's order, of one row.
  public func cut<Row>(
    _ rows: [Row], by key: (Row) -> (repeat each Element)
  ) throws -> (rows: [Row], nextPageToken: String) {
    let shown = rows.prefix(size)
    guard rows.count > size, let last = shown.last else { return (Array(shown), "") }
    var bytes: [UInt8] = []
    let position = key(last)
    repeat (each position).write(to: &bytes)
    return (Array(shown), try tokens.token(of: bytes))
  }

  /// The keys that `bytes` encode; `nil` when there are other bytes behind them.
  static func position(_ bytes: ArraySlice<UInt8>) -> (repeat each Element)? {
    var rest = bytes
    do {
      let position = (repeat try (each Element).taken(from: &rest))
      return rest.isEmpty ? position : nil
    } catch {
      return nil
    }
  }
}

extension PageElement {
  /// The value at the beginning of `bytes`, which is taken off them.
  fileprivate static func taken(from bytes: inout ArraySlice<UInt8>) throws(MalformedPosition) -> Self {
    guard let value = Self(from: &bytes) else { throw MalformedPosition() }
    return value
  }
}

private struct MalformedPosition: Error {}
