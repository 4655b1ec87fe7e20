import Ambient
import Cryptography
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// What the people who operate the suite look at; a file for each method.
package struct Operators: OperatorsService {
  let database: Database
  let pages: Pages

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens ([C-5]).
  package init(database: Database, clock: any WallClock, seal: Seal) {
    self.database = database
    pages = Pages(seal: seal, clock: clock)
  }
}

extension CallContext {
  /// The name in the certificates of those who operate the suite. No service has it.
  private static let operatorName = "operator"

  /// Returns for a caller who operates the suite.
  ///
  /// - Throws: PERMISSION_DENIED for the suite's services, which may call other methods whose access is `service`.
  func requireOperator() throws(Status) {
    guard caller?.subject == Self.operatorName else { throw .notAnOperator }
  }
}
