import ContractRules
import Foundation
import GatewayPages
import TTRPC
import TandemCatalog
import TandemIdentity
import TandemNotification
import Testing

@Suite struct OpenAPITests {
  private static let sets = [
    TandemIdentity.FileDescriptors.serialized, TandemNotification.FileDescriptors.serialized,
    TandemCatalog.FileDescriptors.serialized,
  ]

  private func document(_ access: (String) -> MethodRules.Access?) throws -> [String: Any] {
    let document = try OpenAPIDocument(descriptorSets: Self.sets, access: access)
    let object = try JSONSerialization.jsonObject(with: Data(document.json.serialized))
    return try #require(object as? [String: Any])
  }

  private func member(_ value: Any?, _ path: String...) throws -> Any {
    var value = value
    for name in path { value = (value as? [String: Any])?[name] }
    return try #require(value, "\(path)")
  }

  @Test("[GATE-6] only methods that are offered have a path, users' methods a security requirement")
  func paths() throws {
    let register = "/tandem.identity.v1.Accounts/Register"
    let logout = "/tandem.identity.v1.Accounts/Logout"
    let document = try document { path in [register: .public, logout: .user][path] }
    let paths = try #require(try member(document, "paths") as? [String: Any])
    #expect(paths.keys.sorted() == [logout, register])
    let ofAnyone = try member(paths, register, "post", "security") as? [Any]
    let ofUsers = try member(paths, logout, "post", "security") as? [Any]
    #expect(ofAnyone?.count == 0 && ofUsers?.count == 1)
    #expect((document["tags"] as? [Any])?.count == 1)
    #expect(document["openapi"] as? String == "3.1.0")
  }

  @Test("[GATE-6] comments are the prose, refusals are listed by their status")
  func prose() throws {
    let path = "/tandem.identity.v1.Accounts/ConfirmEmailChange"
    let operation = try member(try document { $0 == path ? .public : nil }, "paths", path, "post")
    #expect(
      try member(operation, "summary") as? String
        == "Gives an account its new e-mail address, by the token mailed to that address ([ID-15]).")
    let conflict = try member(operation, "responses", "409", "description") as? String
    #expect(conflict == "already_exists `EMAIL_REGISTERED`")
    let refusals = try #require(try member(operation, "x-refusals") as? [[String: String]])
    #expect(refusals.contains(["code": "permission_denied", "reason": "ACCOUNT_LOCKED"]))
  }

  @Test("[GATE-6] every reference leads to a schema, of every method")
  func references() throws {
    let document = try document { _ in .user }
    let schemas = try #require(try member(document, "components", "schemas") as? [String: Any])
    var found = 0
    func look(_ value: Any) {
      if let members = value as? [String: Any] {
        if let name = (members["$ref"] as? String)?.split(separator: "/"), name.count == 4, name[2] == "schemas" {
          found += 1
          #expect(schemas[String(name[3])] != nil, "\(name)")
        }
        for member in members.values { look(member) }
      } else if let elements = value as? [Any] {
        for element in elements { look(element) }
      }
    }
    look(document)
    #expect(found > 200)
  }

  @Test("[GATE-6] schemas follow protobuf's JSON mapping")
  func schemas() throws {
    let path = "/tandem.catalog.v1.Books/GetSharedBook"
    let document = try document { $0 == path ? .public : nil }
    let properties = try member(document, "components", "schemas", "tandem.catalog.v1.SharedBook", "properties")
    #expect(try member(properties, "authors", "type") as? String == "array")
    #expect(try member(properties, "photo", "contentEncoding") as? String == "base64")
    #expect(try member(properties, "year", "format") as? String == "int32")
    #expect(
      try member(properties, "preview", "$ref") as? String == "#/components/schemas/tandem.catalog.v1.SharePreview")
    let meaning = try member(properties, "photoMediaType", "description") as? String
    #expect(meaning?.contains("image/webp") == true)
  }

  @Test(
    "[GATE-6] refusals are read from the items of a comment's list",
    arguments: [
      ("- NOT_FOUND `A_B`: the link does not exist, see `C_D`.", [ListedRefusal(.notFound, "A_B")]),
      (
        "Text.\n\n- INVALID_ARGUMENT `A`, `B`, ALREADY_EXISTS `C`: as in\n  Register `D`.\n- Not a code `E`.",
        [.init(.invalidArgument, "A"), .init(.invalidArgument, "B"), .init(.alreadyExists, "C")]
      ),
      (
        "- FAILED_PRECONDITION `A`,\n  `B`.\n- RESOURCE_EXHAUSTED `C` with google.rpc.RetryInfo: wait.",
        [.init(.failedPrecondition, "A"), .init(.failedPrecondition, "B"), .init(.resourceExhausted, "C")]
      ), ("- `secret`: nothing", []), ("NOT_FOUND `A` in prose", []), ("", []),
    ] as [(String, [ListedRefusal])])
  func refusals(comment: String, expected: [ListedRefusal]) {
    #expect(ListedRefusal.all(in: comment) == expected)
  }
}
