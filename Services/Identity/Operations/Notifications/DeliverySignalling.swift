/// Has new deliveries, mail and pushes, be sent at once.
package protocol DeliverySignalling: Sendable {
  /// Call it after the commit that created them.
  func wake()
}
