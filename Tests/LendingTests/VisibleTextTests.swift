import TTRPC
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("text that others see")
struct VisibleTextTests {
  private func violations(_ status: Status) -> [String] {
    status.badRequest?.fieldViolations.map { "\($0.field): \($0.description)" } ?? []
  }

  @Test(
    "[C-12] a comment on a return that hides a character is refused, and the return is not confirmed",
    arguments: [
      ("\u{200B}", "The comment has the invisible character U+200B at position 1"),
      ("\u{202E}gnp.exe", "The comment has the character U+202E, which changes the direction of text, at position 1"),
      ("fine\n\u{AD}", "The comment has the invisible character U+00AD at position 6"),
    ])
  func comment(text: String, complaint: String) async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.lend(try await lending.list())

      let status = try await refusal { try await lending.confirmReturn(loan, as: .grace, comment: text) }

      #expect(status.reason == "COMMENT_INVALID" && violations(status) == ["comment: \(complaint)"])
      #expect(try await lending.confirmReturn(loan, as: .ada).state == .borrowed)
    }
  }

  @Test("[C-12] a pickup address that hides characters is refused, in city and address")
  func pickup() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let place = Address(country: "GB", city: "Lon\u{200B}don", address: "\u{202E}96 Euston Road")

      let status = try await refusal {
        try await lending.loans.acceptRequest(
          AcceptRequestRequest(loanID: loan.loanID, pickup: TandemLending.Pickup(place: .address(place))),
          TestUser.ada.options)
      }

      #expect(status.fieldReasons == ["CITY_UNKNOWN", "ADDRESS_INVALID"])
      #expect(
        violations(status) == [
          "pickup.address.city: The city has the invisible character U+200B at position 4",
          "pickup.address.address: The address has the character U+202E, which changes the direction of text, "
            + "at position 1",
        ])
    }
  }

  @Test("[C-12] an unknown enum value is refused with its path and its number")
  func enums() async throws {
    try await RunningLending.with { lending in
      let status = try await refusal {
        try await lending.loans.listMyRequests(ListMyRequestsRequest(state: .unrecognized(99)), TestUser.grace.options)
      }
      #expect(status.code == .invalidArgument && status.reason == "ENUM_VALUE_UNKNOWN")
      #expect(violations(status) == ["state: 99 is no value of tandem.lending.v1.LoanState"])
    }
  }
}
