/// The tables that a service needs to publish events and to follow others', as steps of its schema.
public enum EventsSchema {
  /// The name of the first step.
  public static let name = "events"
}
