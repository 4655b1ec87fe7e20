import FieldViolations
import GoogleRPC
import TTRPC
import Testing

@Suite("Bad fields")
struct ViolationsTests {
  @Test("[C-2] every bad field is named at once")
  func everyField() {
    var fields = Violations()
    let number = fields.require("number", Int("x"), "Not a number", "NUMBER_INVALID")
    let flag = fields.require("flag", Bool("x"), "Not a flag", "FLAG_INVALID")
    fields.add("text", "No text", "TEXT_MISSING")
    let error = #expect(throws: BadFields.self) { try fields.all(number, flag) }
    #expect(error?.violations.map(\.field) == ["number", "flag", "text"])
    #expect(error?.violations.first?.description == "Not a number")
    #expect(error?.violations.map(\.reason) == ["NUMBER_INVALID", "FLAG_INVALID", "TEXT_MISSING"])
  }

  @Test("[C-2] good fields come through")
  func goodFields() throws {
    var fields = Violations()
    let wanted = fields.require("number", Int("7"), "Not a number", "NUMBER_INVALID")
    let called = fields.require("flag", Bool("true"), "Not a flag", "FLAG_INVALID")
    let (number, flag) = try fields.all(wanted, called)
    #expect(number == 7 && flag && fields.isEmpty)
  }

  @Test("[C-3] one bad field gives the status its reason; several have theirs in the detail")
  func statuses() {
    let one = BadFields("number", "Not a number", "NUMBER_INVALID").status
    #expect(one.code == .invalidArgument && one.message == "Not a number")
    #expect(one.errorInfo?.reason == "NUMBER_INVALID" && one.badRequest?.fieldViolations.map(\.field) == ["number"])
    var fields = Violations()
    for name in ["a", "b"] { fields.add(name, "Bad", "BAD_\(name.uppercased())") }
    let several = #expect(throws: BadFields.self) { try fields.check() }?.status
    #expect(several?.errorInfo?.reason == "INVALID_FIELDS")
    #expect(several?.badRequest?.fieldViolations.map(\.reason) == ["BAD_A", "BAD_B"])
    #expect(several?.details.count == 2)
  }
}
