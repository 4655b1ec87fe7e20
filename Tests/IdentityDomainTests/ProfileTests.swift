import IdentityDomain
import Identifiers
import Testing

@Suite struct ProfileTests {
  private func today(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
    try #require(CivilDate(year: year, month: month, day: day))
  }

  @Test("[ID-21] today and the day 120 years ago are valid dates of birth; the days beyond are not")
  func bounds() throws {
    let today = try today(2026, 11, 21)
    #expect(DateOfBirth(year: 2026, month: 11, day: 21, today: today) != nil)
    #expect(DateOfBirth(year: 2026, month: 11, day: 22, today: today) == nil)
    #expect(DateOfBirth(year: 1906, month: 11, day: 21, today: today) != nil)
    #expect(DateOfBirth(year: 1906, month: 11, day: 20, today: today) == nil)
    #expect(DateOfBirth.refusal == "Please choose a valid date of birth")
  }

  @Test("[ID-21] 29 February counts 120 years back and forth like any other day")
  func leapDay() throws {
    #expect(DateOfBirth(year: 1904, month: 2, day: 29, today: try today(2024, 2, 29)) != nil)
    #expect(DateOfBirth(year: 1904, month: 2, day: 28, today: try today(2024, 2, 29)) == nil)
    #expect(DateOfBirth(year: 1980, month: 2, day: 29, today: try today(2026, 1, 1)) != nil)
    #expect(DateOfBirth(year: 1981, month: 2, day: 29, today: try today(2026, 1, 1)) == nil)
    #expect(DateOfBirth(year: 0, month: 0, day: 0, today: try today(2026, 1, 1)) == nil)
  }

  @Test("[ID-20] ADVANCED and EXPERT are experienced, and the guide says from where on")
  func levels() {
    #expect(Level.allCases.map(\.rawValue) == ["NOVICE", "BEGINNER", "INTERMEDIATE", "ADVANCED", "EXPERT"])
    #expect(Level.allCases.map(\.isExperienced) == [false, false, false, true, true])
    #expect(Level.allCases.map { $0.guide.contains("experienced") } == [false, false, false, true, true])
    #expect(Level.allCases == Level.allCases.sorted())
  }

  @Test("[ID-20] interests and strengths come from fixed lists, each once and in the list's order")
  func options() {
    #expect(Interest.chosen(["YOGA", "RUNNING", "YOGA"]) == [.running, .yoga])
    #expect(Interest.chosen([]) == [])
    #expect(Interest.chosen(["YOGA", "yoga"]) == nil)
    #expect(Strength.chosen(["LEGS", "CHEST"]) == [.chest, .legs])
    #expect(Strength.chosen(["YOGA"]) == nil)
    #expect(Set(Interest.allCases.map(\.label)).count == Interest.allCases.count)
    #expect(Set(Strength.allCases.map(\.label)).count == Strength.allCases.count)
  }

  @Test(
    "[ID-23] a phone number is E.164",
    arguments: ["+6561234567", "+14155552671", "+290 1234".filter { $0 != " " }, "+123456789012345"])
  func phone(text: String) {
    #expect(PhoneNumber(text)?.description == text)
  }

  @Test(
    "[ID-23] anything else is no phone number",
    arguments: [
      "", "+", "6561234567", "+0123456789", "+65 6123 4567", "+1234567890123456", "+12345", "+65612345６7",
      "++6561234567",
    ])
  func badPhone(text: String) {
    #expect(PhoneNumber(text) == nil)
  }

  @Test(
    "[C-8] names in the form of the IANA database are taken for time zones",
    arguments: [
      "UTC", "Asia/Singapore", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "America/Port-au-Prince", "EST5EDT",
    ])
  func zone(text: String) {
    #expect(TimeZoneName(text)?.description == text)
  }

  @Test(
    "[C-8] paths and offsets are no time zones",
    arguments: [
      "", "/etc/passwd", "../../etc/passwd", "Asia/../UTC", "Asia//Singapore", "Asia/", "+08:00", "A B", "a/b/c/d",
    ])
  func badZone(text: String) {
    #expect(TimeZoneName(text) == nil)
  }
}
