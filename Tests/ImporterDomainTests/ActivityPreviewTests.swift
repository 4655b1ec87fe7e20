import Identifiers
import ImporterDomain
import Testing

@Suite("previews of activities")
struct ActivityPreviewTests {
  @Test("[CA-15] 31 item 10: a preview says what it was and how far")
  func titles() {
    #expect(ActivityPreview.title(.run, metres: 10_049) == "Run, 10.0 km")
    #expect(ActivityPreview.title(.ride, metres: 99_951) == "Ride, 100.0 km")
    #expect(ActivityPreview.title(.swim, metres: 750) == "Swim, 750 m")
    #expect(ActivityPreview.title(.yoga, metres: nil) == "Yoga")
    for metres in [Double.nan, .infinity, -1, 1e300] {
      #expect(ActivityPreview.title(.other, metres: metres) == "Activity")
    }
  }

  @Test("[CA-15] 31 item 10: a preview says the day and how long it took")
  func texts() throws {
    let day = try #require(CivilDate(year: 2026, month: 12, day: 31))
    #expect(ActivityPreview.text(day, seconds: 3_725) == "31 December 2026, 1 h 2 min")
    #expect(ActivityPreview.text(day, seconds: 125.9) == "31 December 2026, 2 min")
    #expect(ActivityPreview.text(day, seconds: 59) == "31 December 2026, 59 s")
    for seconds in [Double.nan, .infinity, 0, -5] {
      #expect(ActivityPreview.text(day, seconds: seconds) == "31 December 2026")
    }
  }

  @Test("[CA-15] 31 item 10: an offset is read, the name of a zone is none")
  func offsets() {
    #expect(ActivityPreview.offset("+02:00") == .seconds(7_200))
    #expect(ActivityPreview.offset("-03:30") == .seconds(-12_600))
    for zone in ["Europe/Berlin", "", "+", "+2", "+02:00:00", "+99:00", "-01:60", "+é:00"] {
      #expect(ActivityPreview.offset(zone) == nil)
    }
  }
}
