import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemNotification
import struct GoogleType.TimeOfDay

extension Notifications {
  /// Sets the caller's daily gym reminder, in the zone of their profile ([ID-63]).
  package func setReminder(_ call: SetReminderRequest, _ context: CallContext) async throws -> Reminder {
    let owner = try context.userID
    let wish = try ReminderWish(call)
    return try await idempotency.execute(
      call, context.requestKey(wish.requestID), .init(validateOnly: call.validateOnly)
    ) {
      tx in
      // Locked, because the zone must not change while the next time is calculated in it.
      guard try await tx.first(LockProfile(userID: owner)) != nil else { throw Status.notAUser }
      try await reminders.clear(owner, in: tx)
      try await tx.execute(IdentityStore.SetReminder(userID: owner, wish.plan))
      return try await reminders.renew(owner, in: tx).map { Reminder($0) } ?? Reminder()
    }
  }
}

/// The validated fields of the request.
private struct ReminderWish {
  let plan: ReminderPlan
  let requestID: UUID7?

  init(_ call: SetReminderRequest) throws {
    let wanted = call.reminder ?? Reminder()
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let time = bad.require(
      "reminder.local_time", wanted.localTime.flatMap(Self.time), "Choose a time of day in whole minutes",
      NotificationReason.localTimeInvalid)
    let numbers = wanted.weekdays.map(\.rawValue)
    let weekdays = Weekdays(numbers.compactMap { Int16(exactly: $0) })
    if numbers.isEmpty {
      bad.add("reminder.weekdays", "Choose a day of the week", NotificationReason.weekdaysRequired)
    } else if weekdays?.numbers.count != numbers.count {
      bad.add(
        "reminder.weekdays", "One of the days is not a day of the week, or is named twice",
        NotificationReason.weekdayInvalid)
    }
    let (chosenTime, chosenDays) = try bad.all(time, weekdays)
    plan = ReminderPlan(time: chosenTime, weekdays: chosenDays, state: wanted.enabled ? .on : .off)
  }

  private static func time(_ wire: TimeOfDay) -> LocalTime? {
    guard wire.seconds == 0, wire.nanos == 0 else { return nil }
    return LocalTime(hour: Int(wire.hours), minute: Int(wire.minutes))
  }
}
