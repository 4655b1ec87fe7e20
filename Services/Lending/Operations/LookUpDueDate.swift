import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// What the database's calendar says of a day as the last one of a loan ([LE-12]); `nil` if it does not know the zone.
  package func lookUpDueDate(_ day: CivilDate, in zone: String) async throws -> DueCalendar.Row? {
    do {
      return try await database.first(
        DueCalendar(now: environment.clock.now, zone: zone, day: day, reminderHour: Int32(DueDate.reminderHour)))
    } catch let error as PostgresError where error.sqlState == DueCalendar.unknownZone {
      return nil
    }
  }
}
