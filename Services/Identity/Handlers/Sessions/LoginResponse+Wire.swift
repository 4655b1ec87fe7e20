import IdentityOperations
import TandemIdentity
import Timestamps

extension LoginResponse {
  init(_ opened: OpenedSession) {
    self.init(
      sessionID: opened.session.description, userID: opened.account.description, accessToken: opened.accessToken.text,
      accessTokenExpireTime: opened.accessToken.expiresAt.timestamp, refreshToken: opened.refreshToken.text,
      refreshTokenExpireTime: opened.refreshToken.expiresAt.timestamp, deviceToken: opened.deviceToken)
  }
}
