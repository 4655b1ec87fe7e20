import Foundation
import Testing

@testable import IdentityFederation

@Suite("the file of providers")
struct ProviderFileTests {
  /// What is wrong with a file of these providers, without its path.
  private static func complaints(_ providers: String) throws -> [String] {
    let folder = NSTemporaryDirectory() + "tandem-providers-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/providers.conf"
    try Data("{\"providers\": [\(providers)]}".utf8).write(to: URL(fileURLWithPath: path))
    try Data("  s3cret \n".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret"))
    try Data("\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/empty"))
    do { _ = try ProviderFile(path: path) } catch {
      return error.lines.map { $0.replacingOccurrences(of: "\(folder)/", with: "") }
    }
    return []
  }

  private static let google =
    #"{"id": "google", "name": "Google", "kind": "openid", "issuer": "https://accounts.google.com", "client_id": "1", "client_secret_file": "secret"}"#
  private static let facebook =
    #"{"id": "facebook", "name": "Facebook", "kind": "facebook", "client_id": "2", "client_secret_file": "secret"}"#

  @Test("[ID-12] providers are read with the secrets that they name")
  func reads() throws {
    #expect(try Self.complaints("\(Self.google), \(Self.facebook)") == [])
    #expect(try Self.complaints("") == [])
  }

  @Test("[ID-12] what is wrong with a provider is told all at once")
  func complains() throws {
    let bad =
      #"{"id": "Goo gle", "name": "", "kind": "openid", "issuer": "http://x", "client_id": "", "scopes": ["email"], "base_url": "https://x"}"#
    #expect(
      try Self.complaints(bad) == [
        "providers.conf, providers[0]: id is not 1 to 64 of a-z, 0-9 and -",
        "providers.conf, providers[0]: name has not 1 to 100 characters",
        "providers.conf, providers[0]: client_id has not 1 to 1,000 characters",
        "providers.conf, providers[0]: client_secret_file is missing",
        "providers.conf, providers[0]: issuer is not an https:// URL",
        "providers.conf, providers[0]: scopes has no openid",
        "providers.conf, providers[0]: base_url is for facebook alone",
      ])
  }

  @Test("[ID-12] ids and issuers are told apart, members are known, secrets are there")
  func refuses() throws {
    #expect(
      try Self.complaints("\(Self.google), \(Self.google)") == [
        "providers.conf has two providers with the id google",
        "providers.conf has two providers with the issuer https://accounts.google.com",
      ])
    let member = Self.facebook.replacingOccurrences(of: "}", with: #", "client_secret": "s3cret"}"#)
    #expect(
      try Self.complaints(member) == [
        "providers.conf is not a JSON object of providers: providers[0]: there is no member client_secret"
      ])
    let empty = Self.facebook.replacingOccurrences(of: "\"secret\"", with: "\"empty\"")
    #expect(
      try Self.complaints(empty) == ["providers.conf, providers[0]: empty is empty: put the client's secret into it"])
    let absent = Self.facebook.replacingOccurrences(of: "\"secret\"", with: "\"absent\"")
    #expect(try Self.complaints(absent) == ["providers.conf, providers[0]: absent cannot be read"])
    let unnamed = Self.facebook.replacingOccurrences(of: #""name": "Facebook", "#, with: "")
    #expect(
      try Self.complaints(unnamed) == ["providers.conf is not a JSON object of providers: providers[0] has no name"])
  }
}
