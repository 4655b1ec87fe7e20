import IdentityMail
import ServiceRuntime

extension IdentitySettings {
  /// What users lack while it is not set.
  static func expectDelivery(_ runtime: Runtime) {
    let isMailed = if case .smtp = runtime.settings[mail] { true } else { false }
    runtime.readiness.expect(
      Lack(
        "mail", "mail is written to a folder, and reaches nobody",
        cure: "TANDEM_IDENTITY_MAIL=smtp://user@host:587, with the password in the secret mail-password")
    ) { isMailed }
    let isPushed = runtime.settings[pushURL] != nil
    runtime.readiness.expect(
      Lack("push", "nothing is pushed to phones", cure: "TANDEM_IDENTITY_PUSH_URL=https://… of the push gateway")
    ) { isPushed }
  }
}
