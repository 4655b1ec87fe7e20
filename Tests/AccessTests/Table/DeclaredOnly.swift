extension AccessTable {
  /// Methods whose rows are still to be written: of them the tables say no more than their contract declares, so nobody has looked yet at what
  /// each known caller gets of them. A method that is not here needs a row.
  static let declaredOnly: Set<String> = Set(
    [
      "tandem.catalog.v1.Books": """
      DeleteBookPhoto DownloadBookPhoto ListBookPhotos LookUpBook RecommendBooks UploadBookPhoto
      """,
      "tandem.catalog.v1.Exercises": """
      GetExercise ListExerciseChanges ListExerciseOptions SearchExercises
      """,
      "tandem.catalog.v1.Gyms": """
      FindNearestGyms GetGym ReportUsage SearchGyms
      """,
      "tandem.catalog.v1.Workouts": """
      AddWorkoutEntry CreateWorkout DeleteWorkout DeleteWorkoutLog GetExerciseProgress GetSharedWorkout GetWorkout
      ListCuratedWorkouts ListMyWorkoutChanges ListMyWorkouts ListWorkoutLogs ListWorkoutShares LogWorkout
      RemoveWorkoutEntry ReorderWorkoutEntries RevokeWorkoutShare SaveAsPersonal SearchWorkouts ShareWorkout
      UpdateWorkout UpdateWorkoutEntry
      """,
      "tandem.identity.v1.Accounts": """
      ChangeUsername ListSessions LogoutEverywhere RevokeSession
      """,
      "tandem.identity.v1.Directory": """
      ListBlocks
      """,
      "tandem.identity.v1.FederatedLogins": """
      CompleteFederatedLogin CompleteIdentityLink LinkIdentity ListLinkedIdentities ListProviders
      RegisterWithIdentity StartFederatedLogin StartIdentityLink UnlinkIdentity
      """,
      "tandem.identity.v1.Operators": """
      RotateSigningKey
      """,
      "tandem.lending.v1.Loans": """
      AcceptRequest CancelLoan ChangePickup ConfirmHandover ConfirmReturn DeclineRequest FindBookStatuses GetLoan
      ListHistory ListLentBooks ListMyRequests ListRequestedBooks ListRequests ListReturnComments RecallLoan
      RequestBook RetireBook WithdrawRequest
      """,
    ].flatMap { service, methods in methods.split(whereSeparator: \.isWhitespace).map { "\(service)/\($0)" } })
}
