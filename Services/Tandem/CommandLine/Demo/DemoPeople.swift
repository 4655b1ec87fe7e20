import Reflection
import TTRPC

/// The people of the demonstration, logged in.
struct DemoPeople: Sendable {
  struct Person: Sendable {
    let name: String
    let token: String
  }

  /// By name, in the order of ``names``.
  let all: [Person]

  /// Theirs alone: a username that others may have taken is none of them.
  static let names = ["ada_demo", "hedy_demo", "grace_demo", "alan_demo", "mary_demo"]
  /// The same for all, and told to everybody: nothing but a demonstration has them.
  static let password = "Analytical-engine-1843"

  static func email(of name: String) -> String { "\(name)@example.org" }

  subscript(index: Int) -> Person { all[index] }
}

extension Demo {
  /// Registers those who are not there, and logs all in.
  func people() async throws -> DemoPeople {
    var all: [DemoPeople.Person] = []
    for (index, name) in DemoPeople.names.enumerated() {
      if let token = try await token(of: name) {
        all.append(.init(name: name, token: token))
      } else {
        all.append(try await newPerson(name, index))
      }
    }
    return DemoPeople(all: all)
  }

  /// `nil` for one who is not registered.
  func token(of name: String) async throws -> String? {
    do {
      let login = try await tour.request(
        Tour.accounts, "Login",
        [
          "emailOrUsername": .string(name), "password": .string(DemoPeople.password),
          "deviceLabel": .string("tandem demo"),
        ])
      return try tour.text("accessToken", of: login)
    } catch let status as Status where status.code == .unauthenticated {
      return nil
    }
  }

  private func newPerson(_ name: String, _ index: Int) async throws -> DemoPeople.Person {
    let email = DemoPeople.email(of: name)
    // Those of a person who was here before lead nowhere.
    try removeMail(to: email)
    let registration = try await call(
      Tour.accounts, "Register",
      ["email": .string(email), "username": .string(name), "password": .string(DemoPeople.password)])
    let token = try await tour.mailedToken(for: email, isShown: false)
    let secret = try tour.text("registrationSecret", of: registration)
    try await call(
      Tour.accounts, "VerifyEmail", ["token": .string(token), "registrationSecret": .string(secret)])
    guard let access = try await self.token(of: name) else { throw Complaint("\(name) cannot log in") }
    try await call(Tour.profiles, "CreateProfile", ["profile": Self.profile(index)], token: access)
    let portrait = JSONValue.members(["chunk": .string(DemoPicture.portrait(index).base64)])
    _ = try await tour.stream("UploadProfilePicture", of: Tour.profiles, [portrait], access, isShown: false)
    return .init(name: name, token: access)
  }

  private static func profile(_ index: Int) -> JSONValue {
    .members([
      "gender": .string(index == 3 ? "GENDER_MALE" : "GENDER_FEMALE"),
      "level": .string(index % 2 == 0 ? "LEVEL_ADVANCED" : "LEVEL_INTERMEDIATE"),
      "timeZone": .string("Europe/London"),
      "dateOfBirth": .members([
        "year": .integer(Int64(1984 + 3 * index)), "month": .integer(Int64(1 + 2 * index)), "day": .integer(10),
      ]),
    ])
  }

  private func removeMail(to email: String) throws(Complaint) {
    for name in Files.names(in: tour.mail) where name.hasSuffix(".eml") {
      let path = "\(tour.mail)/\(name)"
      if let text = Files.text(path), text.contains("To: <\(email)>") { try Files.remove(path) }
    }
  }
}
