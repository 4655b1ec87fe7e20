import Events
import ProtobufC
import TandemEvents

/// Bytes in PostgreSQL's format.
enum Hexadecimal {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// The notifications and their recipients: `kind of notification, number of users`.
extension NotificationRequested {
  var word: String {
    switch news {
    case .bookRequested: "requested"
    case .requestDeclined: "declined"
    case .requestAccepted: "accepted"
    case .loanDue: "due"
    case .loanOverdue: "overdue"
    case .loanRecalled: "recalled"
    case .loanCancelled: "cancelled"
    case .pickupChanged: "moved"
    case .pickupNamed: "named"
    case .returnConfirmed: "confirmed"
    case .loanLastCall: "last call"
    case .loanDeclaredLost: "lost"
    case .loanDeclaredReturned: "back"
    default: "something else"
    }
  }
}
