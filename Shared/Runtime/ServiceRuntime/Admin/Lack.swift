import JSONText

/// Something that does not work for lack of data or of a setting, while the service itself is well.
public struct Lack: Sendable, Equatable {
  /// What is not there, such as "gyms".
  public let subject: String
  /// What users meet because of that.
  public let effect: String
  /// The command or the setting that mends it.
  public let cure: String

  public init(_ subject: String, _ effect: String, cure: String) {
    self.subject = subject
    self.effect = effect
    self.cure = cure
  }

  /// One object of the list in the report's JSON.
  var json: String {
    "{\"subject\":\(JSONText.quoted(subject)),\"effect\":\(JSONText.quoted(effect)),\"cure\":\(JSONText.quoted(cure))}"
  }
}
