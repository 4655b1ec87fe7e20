import Cryptography
import IdentityDomain
import TTRPC

/// Page tokens of lists that are ordered by a number: sealed, so that nobody can read or make one ([C-5]).
struct PageTokens: Sendable {
  private let seal: Seal

  /// A page without a size has this many rows.
  private static let usual = 50
  /// A page has no more rows, whatever was asked for.
  private static let most = 200

  init(seal: Seal) { self.seal = seal }

  /// The token of the page behind the row with the number `last`.
  ///
  /// - Parameter list: what is listed: the method, the caller and the filter. Only for the same list the token is one.
  func token(after last: Int64, of list: String) throws -> String {
    Base64URL.encode(try seal.seal(withUnsafeBytes(of: last.bigEndian) { Array($0) }, associated: Array(list.utf8)))
  }

  /// The number of the last row of the page before; `nil` for the first page.
  ///
  /// - Throws: INVALID_ARGUMENT `PAGE_TOKEN_INVALID`.
  func last(_ token: String, of list: String) throws -> Int64? {
    guard !token.isEmpty else { return nil }
    guard token.utf8.count <= 512, let sealed = Base64URL.decode(token) else { throw Self.invalid }
    do {
      let opened = try seal.open(sealed, associated: Array(list.utf8))
      guard opened.count == 8 else { throw Self.invalid }
      return opened.reduce(0) { $0 << 8 | Int64($1) }
    } catch is UnsealError {
      throw Self.invalid
    }
  }

  /// How many rows to give for a `page_size`.
  ///
  /// - Throws: INVALID_ARGUMENT `PAGE_SIZE_INVALID` for a negative one.
  static func size(_ asked: Int32) throws(BadFields) -> Int {
    guard asked >= 0 else { throw BadFields("page_size", "The page_size must not be negative", "PAGE_SIZE_INVALID") }
    return asked == 0 ? usual : min(Int(asked), most)
  }

  private static let invalid = BadFields(
    "page_token", "The page_token is not one that this list gave", "PAGE_TOKEN_INVALID")
}
