extension AccessTable {
  /// Positions and journeys; `tandem.tracking.v1`. The owner and the member are in a group; the journey is the owner's.
  static let tracking = """
    fields shown = group_id user_id username state position.latitude? position.longitude? position.time? journey_id? sos_id? warnings? arrival_time? estimated_arrival_time?
    fields counts = accepted? out_of_order? duplicate? stale? wrong_time? groups? not_kept?
    fields alert = journey_id user_id kind start_time group_ids? alerted_members? notice?
    fields journey = journey_id user_id kind group_ids start_time destination.latitude destination.longitude arrival_time mode
    tandem.tracking.v1.Locations at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      StartSharing            token    home     ok       ok       home     session  token    token
        request {"groupIds": ["{home}"]}
        answer  members.$shown
      StopSharing             token    home     ok       ok       home     session  token    token
        request {"groupIds": ["{home}"]}
        answer  members.$shown
      ReportBatch             token    ok       ok       ok       ok       session  token    token
        request {"points": [{"latitude": 1.3, "longitude": 103.8, "time": "2026-01-15T12:00:00Z"}]}
        answer  $counts
      Report                  token    ok       ok       ok       ok       session  token    token
        request {"points": [{"latitude": 1.3, "longitude": 103.8, "time": "2026-01-15T12:00:00Z"}]}
        answer  $counts
      GetStorage              token    ok       ok       ok       ok       session  token    token
        request {}
        answer  used? used.places? used.path_positions_of_day? used.path_positions? limits.places limits.path_positions_of_day limits.path_positions
      GetRetention            token    ok       ok       ok       ok       session  token    token
        request {}
        answer  days
      SetRetention            token    ok       ok       ok       ok       session  token    token
        request {"days": 14}
        answer  days
      GetMembers              token    home     ok       ok       home     session  token    token
        request {"groupIds": ["{home}"]}
        answer  groups.group_id groups.sequence groups.epoch groups.members.$shown
      # A group that the caller is no member of ends at once; the stream stays open for others.
      Watch                   token    ok       ok       ok       ok       session  token    token
        request {"add": [{"groupId": "{home}"}]}
        answer to stranger: end.group_id end.reason
        answer to blocked: end.group_id end.reason
        answer  snapshot.group.group_id snapshot.group.sequence snapshot.group.epoch snapshot.group.members.$shown snapshot.reason
      WatchGroups             token    ok       ok       ok       ok       session  token    token
        request {"groups": [{"groupId": "{home}"}]}
        answer to stranger: end.group_id end.reason
        answer to blocked: end.group_id end.reason
        answer  snapshot.group.group_id snapshot.group.sequence snapshot.group.epoch snapshot.group.members.$shown snapshot.reason

    tandem.tracking.v1.Journeys at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      StartJourney            token    home     ok       ok       home     session  token    token
        before  rested
        request {"groupIds": ["{home}"], "destination": {"latitude": 1.3, "longitude": 103.8}, "arrivalTime": "2026-01-18T12:00:00Z", "mode": "TRAVEL_MODE_WALKING"}
        answer  $journey
      StopJourney             token    ok       ok       ok       ok       session  token    token
        before  onJourney
        request {}
        answer  journey_id user_id kind start_time end_time outcome destination.latitude destination.longitude arrival_time mode
      GetJourney              token    journey  ok       ok       journey  session  token    token
        request {"journeyId": "{journey}"}
        answer  $journey end_time outcome
      GetPath                 token    journey  ok       ok       journey  session  token    token
        request {"journeyId": "{journey}"}
        answer  points.latitude points.longitude points.time
      ExportPath              token    journey  ok       ok       journey  session  token    token
        request {"journeyId": "{journey}"}
        answer  chunk
      StartSOS                token    ok       ok       ok       ok       session  token    token
        before  rested
        request {}
        answer  $alert
      StopSOS                 token    ok       ok       ok       ok       session  token    token
        before  inSOS
        request {}
        answer  $alert end_time outcome

    # To all others a place does not exist.
    fields place = place_id name point.latitude point.longitude radius_m group_ids? create_time etag
    tandem.tracking.v1.Places at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      CreatePlace             token    ok       ok       ok       ok       session  token    token
        request {"place": {"name": "Home", "point": {"latitude": 1.3, "longitude": 103.8}, "radiusM": 100}, "validateOnly": true}
        answer  $place
      ListPlaces              token    ok       ok       ok       ok       session  token    token
        request {}
        answer  places.place_id? places.name? places.point.latitude? places.point.longitude? places.radius_m? places.group_ids? places.create_time? places.etag?
      UpdatePlace             token    place    place    ok       place    session  token    token
        request {"place": {"placeId": "{place}", "name": "Nest"}, "updateMask": "name"}
        answer  $place
      DeletePlace             token    place    place    ok       place    session  token    token
        request {"placeId": "{place}"}
        answer  nothing

    fields link = share_id journey_id create_time expire_time
    tandem.tracking.v1.JourneyShares at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      CreateShare             token    journey  journey  ok       journey  session  token    token
        request {"journeyId": "{ongoing}"}
        answer  share.$link token
      ListShares              token    ok       ok       ok       ok       session  token    token
        request {"journeyId": "{linkedJourney}"}
        answer to owner: shares.$link
        answer  nothing
      RevokeShare             token    share    share    ok       share    session  token    token
        request {"shareId": "{journeyLink}"}
        answer  nothing
      # The token of the link is the credential.
      GetSharedJourney        ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{journeyLinkToken}"}
        answer  username start_time destination.latitude destination.longitude arrival_time mode expire_time preview.title preview.text preview.picture

    """
}
