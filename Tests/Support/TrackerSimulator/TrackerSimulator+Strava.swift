extension TrackerSimulator {
  /// Has Strava answer with so many pages of so many activities, each of another day and without a track.
  public func setStrava(pages: Int, of size: Int = 2, delay: Duration = .zero) {
    answer("/strava/api/v3/athlete/activities") { [self] request in
      guard isValid(request.token) else { return Self.invalidToken }
      let page = Int(request.query["page"] ?? "") ?? 0
      guard page <= pages else { return .json("[]") }
      var answer = Answer.json("[\((0..<size).map { Self.ride((page - 1) * size + $0) }.joined(separator: ","))]")
      answer.delay = delay
      return answer
    }
  }

  /// Strava's own answer to a token that is not valid.
  public static var invalidToken: Answer {
    .json(
      #"{"message":"Authorization Error","errors":[{"resource":"Athlete","field":"access_token","code":"invalid"}]}"#,
      status: 401)
  }

  public static func ride(_ number: Int) -> String {
    let (month, day, hour) = (number / 280 % 9 + 1, number / 10 % 28 + 1, number % 10 + 8)
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return """
      {"id":\(1_000 + number),"manual":true,"sport_type":"Ride","elapsed_time":600,"distance":\(1_000 + number),\
      "start_date":"2025-\(two(month))-\(two(day))T\(two(hour)):00:00Z","timezone":"(GMT+01:00) Europe/Berlin"}
      """
  }

  /// The requests for pages of Strava's list.
  public var stravaPages: [String] { requests("/athlete/activities").map { $0.query["page"] ?? "" } }
  /// The requests for new tokens by a refresh token.
  public var refreshes: [Request] { requests("/token").filter { $0.form["grant_type"] == "refresh_token" } }
}
