import Base64
import ConsoleFiles
import GatewayProtocols
import Glibc
import HTTPTypes
import TTRPC

/// The console: a page and its files, which the program has inside.
///
/// The page is answered at every path below ``root``, as its views have addresses of their own. Its files are below a folder that is named
/// by the digest of all of them: a browser keeps each for ever, and what is new has another address.
public struct Console: Sendable {
  /// Where map tiles come from, in place of the drawn map.
  public struct Tiles: Sendable {
    /// With `{z}`, `{x}` and `{y}`, such as `https://tile.example.org/{z}/{x}/{y}.png`.
    public let address: String
    /// What the tiles' provider wants to be said on the map.
    public let attribution: String

    public init(address: String, attribution: String) { (self.address, self.attribution) = (address, attribution) }

    /// The part of the address that a content security policy names.
    var origin: String {
      let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      return parts.prefix(3).joined(separator: "/")
    }
  }

  private static let root = "/console/"
  private let pagePath: String
  private let files: [String: Page]
  private let page: Page
  private let folder: ConsoleFolder?
  private let fields: [(HTTPField.Name, String)]
  private let values: [String: String]

  /// For whom it is: each has a page of its own, and the files are the same.
  public enum Audience: String, Sendable {
    case people = "index.html"
    case operators = "desk.html"
  }

  /// - Parameters:
  ///   - tiles: `nil` for the drawn map alone.
  ///   - demo: the password of the demonstration's people, where there is a demonstration.
  ///   - folder: a folder that is read at each request in place of the files inside; for those who change them.
  public init(tiles: Tiles?, demo: String? = nil, folder: String?, for audience: Audience = .people) {
    pagePath = audience.rawValue
    let fields = Self.fields(tiles)
    let values = [
      "%FILES%": "\(Self.root)files/\(folder == nil ? ConsoleFiles.digest : "changing")",
      "%TILES%": HTMLText.escaped(tiles?.address ?? ""), "%ATTRIBUTION%": HTMLText.escaped(tiles?.attribution ?? ""),
      "%DEMO%": HTMLText.escaped(demo ?? ""),
    ]
    (self.fields, self.values) = (fields, values)
    self.folder = folder.map(ConsoleFolder.init)
    var files: [String: Page] = [:]
    var page = Page([.get]) { _ in PageAnswer.failure(Status(.unavailable, "The console has no page")) }
    for file in ConsoleFiles.all {
      guard let packed = Base64URL.decode(file.packed) else { continue }
      if file.path == pagePath, let text = Gzip.text(of: packed, length: file.length) {
        let stored = StoredAnswer(file.contentType, Array(Self.filled(text, values).utf8), fields)
        page = Page([.get]) { stored.answer(to: $0.head) }
      }
      let kept = KeptFile(contentType: file.contentType, packed: packed, length: file.length)
      files[file.path] = Page([.get]) { kept.answer(to: $0.head) }
    }
    (self.files, self.page) = (files, page)
  }

  /// What a page elsewhere needs for a map of the console's: elements of its head, in HTML, and fields of its answer.
  struct Map: Sendable {
    let head: String
    let fields: [(HTTPField.Name, String)]
  }

  /// The map of share links.
  var map: Map {
    let head = """
      <meta name="tandem-tiles" content="%TILES%">
      <meta name="tandem-attribution" content="%ATTRIBUTION%">
      <link rel="stylesheet" href="%FILES%/vendor/leaflet.css">
      <link rel="stylesheet" href="%FILES%/style.css">
      <script type="module" src="%FILES%/theme.js"></script>
      <script type="module" src="%FILES%/shared-link.js"></script>

      """
    return Map(head: Self.filled(head, values), fields: fields)
  }

  /// `nil` for a path that is not the console's.
  package func page(at path: Substring) -> Page? {
    if path == "/" || path == Self.root.dropLast() { return Self.entry }
    // Browsers ask for it on pages that name no icon.
    if path == "/favicon.ico" { return files["icon.svg"] }
    guard path.hasPrefix(Self.root) else { return nil }
    let parts = path.dropFirst(Self.root.count).split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "files" else { return folder.map(changingPage) ?? page }
    if let folder { return folder.file(String(parts[2])) }
    // Of another version: its page is loaded anew, as this program has no such files.
    return parts[1] == ConsoleFiles.digest ? files[String(parts[2])] : nil
  }

  private static let entry = Page([.get]) { _ in
    .answer(302, "text/plain; charset=utf-8", [], [(.location, root), (.cacheControl, "no-cache")])
  }

  private func changingPage(_ folder: ConsoleFolder) -> Page {
    let (path, values, fields) = (pagePath, self.values, self.fields)
    return Page([.get]) { request in
      let text = String(decoding: folder.content(path) ?? [], as: UTF8.self)
      return StoredAnswer("text/html; charset=utf-8", Array(Self.filled(text, values).utf8), fields)
        .answer(to: request.head)
    }
  }

  private static func filled(_ text: String, _ values: [String: String]) -> String {
    values.reduce(text) { text, value in text.replacing(value.key, with: value.value) }
  }

  private static func fields(_ tiles: Tiles?) -> [(HTTPField.Name, String)] {
    let images = tiles.map { " \($0.origin)" } ?? ""
    let policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:\(images); connect-src 'self'; "
      + "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    return [(.contentSecurityPolicy, policy), (.referrerPolicy, "no-referrer")]
  }
}

/// A file of the console, at an address that is its own for ever.
private struct KeptFile: Sendable {
  let contentType: String
  let packed: [UInt8]
  let length: Int

  func answer(to request: HTTPRequest) -> Output {
    let fields: [(HTTPField.Name, String)] = [
      (.cacheControl, "public, max-age=31536000, immutable"), (.vary, "accept-encoding"),
    ]
    if Compression.accepted(by: request.headerFields[.acceptEncoding]) == .gzip {
      return .answer(200, contentType, packed, fields + [(.contentEncoding, Compression.gzip.rawValue)])
    }
    // No browser asks so.
    return .answer(200, contentType, Gzip.content(of: packed, length: length) ?? [], fields)
  }
}

/// The files as they are on the disk now.
private struct ConsoleFolder: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  func file(_ name: String) -> Page? {
    let type = ConsoleFiles.all.first { $0.path.suffix(3) == name.suffix(3) }?.contentType
    return content(name).map { content in
      Page([.get]) { _ in
        .answer(200, type ?? "text/plain; charset=utf-8", content, [(.cacheControl, "no-store")])
      }
    }
  }

  /// `nil` where there is no such file; none is outside the folder.
  func content(_ name: String) -> [UInt8]? {
    guard !name.split(separator: "/").contains("..") else { return nil }
    guard let file = fopen("\(path)/\(name)", "rb") else { return nil }
    defer { fclose(file) }
    var (content, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { content += piece[..<count] }
    return content
  }
}

extension Gzip {
  fileprivate static func text(of packed: [UInt8], length: Int) -> String? {
    content(of: packed, length: length).map { String(decoding: $0, as: UTF8.self) }
  }
}
