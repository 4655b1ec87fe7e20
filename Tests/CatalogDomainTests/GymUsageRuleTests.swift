import CatalogDomain
import Identifiers
import Testing

@Suite("usage of gyms")
struct GymUsageRuleTests {
  @Test("[CA-4] a report of the last 90 minutes comes before check-ins, and what is unknown is absent")
  func usage() throws {
    let now = Instant(microseconds: 1_768_478_400_000_000)
    func usage(_ capacity: Int?, report: (Int, Duration)? = nil, checkIns: Int? = nil) -> GymUsage? {
      GymUsage(
        capacity: capacity, report: report.map { .init(people: $0.0, observedAt: now - $0.1) },
        checkIns: checkIns.map { .init(people: $0, latest: now - .seconds(60)) }, at: now)
    }
    let reported = try #require(usage(80, report: (20, .seconds(600)), checkIns: 3))
    #expect(reported.percentage == 25 && reported.source == .report && reported.age(at: now) == .seconds(600))
    #expect(usage(80, report: (20, .seconds(5_399)))?.percentage == 25)
    #expect(usage(80, report: (20, .seconds(5_400))) == nil)
    let derived = try #require(usage(80, report: (20, .seconds(5_400)), checkIns: 3))
    #expect(derived.percentage == 4 && derived.source == .checkIns && derived.people == 3)
    #expect(usage(80) == nil && usage(80, checkIns: 0) == nil && usage(nil, report: (20, .zero), checkIns: 3) == nil)
    #expect(usage(80, report: (0, .zero))?.percentage == 0 && usage(10, report: (15, .zero))?.percentage == 150)
    #expect(usage(80, report: (20, .seconds(-30)))?.age(at: now) == .zero)
  }
}
