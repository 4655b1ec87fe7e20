import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Unregisters one of the caller's devices from pushes ([ID-62]).
  package func dropDevice(_ call: DropDeviceRequest, _ context: CallContext) async throws -> DropDeviceResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let id = bad.require(
      "device_id", DeviceID(call.deviceID), "The device_id must be a UUID", NotificationReason.deviceIDInvalid)
    let device = try bad.all(id)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard try await tx.first(IdentityStore.DropDevice(deviceID: device, userID: owner)) != nil else {
        throw Status.noSuchDevice
      }
      return DropDeviceResponse()
    }
  }
}
