extension AccessTable {
  /// Training sessions; `tandem.matching.v1`. Where a session is named, the owner posts it, and the member has joined a matched one.
  static let matching = """
    fields session = session_id start_time end_time gym.gym_id gym.name gym.point.latitude gym.point.longitude gym.time_zone focus level state owner.user_id owner.username join_obstacles etag create_time update_time join_end_time
    fields matched = matched partner.user_id partner.username
    fields mine = session_id? start_time? end_time? gym.gym_id? gym.name? gym.point.latitude? gym.point.longitude? gym.time_zone? focus? level? state? owner.user_id? owner.username? join_obstacles? etag? create_time? update_time? join_end_time? withdrawn_session_ids? matched? partner.user_id? partner.username? finished? feedback_given? owner.check_in_time? partner.check_in_time?
    fields bar = bar_id session_id cause start_time end_time
    fields change = change actor time
    # A link as it is listed: without its secret.
    fields share = share_id session_id create_time
    tandem.matching.v1.Sessions at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      PostSession             token    ok       ok       ok       ok       session  token    token
        request {"startTime": "{sessionStart}", "endTime": "{sessionEnd}", "gymId": "{gym}", "focus": "FOCUS_YOGA", "level": "LEVEL_EXPERT"}
        answer  $session
      GetSession              token    training ok       ok       training session  token    token
        request {"sessionId": "{match}"}
        answer  $session $matched
      BrowseSessions          token    ok       ok       ok       ok       session  token    token
        request {"gymId": "{gym}"}
        answer  next_page_token?
      JoinSession             token    ok       ok       poster   training session  token    token
        request {"sessionId": "{posted}"}
        answer  $session $matched
      CancelSession           token    training ok       ok       training session  token    token
        request {"sessionId": "{match}"}
        answer  bar_end_time?
      CheckIn                 token    training ok       ok       training session  token    token
        request {"sessionId": "{meeting}", "point": {"latitude": 1.31, "longitude": 103.81}, "accuracyM": 5}
        answer to member: $session $matched partner.check_in_time
        answer to owner: $session $matched owner.check_in_time
      FinishSession           token    training ok       ok       training session  token    token
        request {"sessionId": "{training}"}
        answer  $session $matched finished
      SubmitFeedback          token    training ok       ok       training session  token    token
        request {"sessionId": "{training}", "rating": 4, "adjectives": ["ADJECTIVE_PATIENT"], "remarks": "Thank you"}
        answer  feedback_id session_id author_id author_username rating adjectives remarks create_time
      ListFeedback            token    ok       ok       ok       ok       session  token    token
        request {}
        answer  feedback.feedback_id? feedback.session_id? feedback.author_id? feedback.author_username? feedback.rating? feedback.adjectives? feedback.remarks? feedback.create_time?
      ListMySessions          token    ok       ok       ok       ok       session  token    token
        request {}
        answer  sessions.$mine next_page_token?
      ListSessionChanges      token    ok       ok       ok       ok       session  token    token
        request {}
        answer  changed.$mine deleted_session_ids? next_change_token has_more?
      GetMatchingProfile      token    ok       ok       ok       person   session  token    token
        request {"userId": "{ownerId}"}
        answer  user_id username rating mean_rating? rating_count? attended? missed? attendance? adjectives.adjective? adjectives.count?
      GetStorage              token    ok       ok       ok       ok       session  token    token
        request {}
        answer  used? used.open_posts? used.saved_searches? used.repetitions? used.waiting_lists? limits.open_posts limits.saved_searches limits.repetitions limits.waiting_lists
      ListMyBars              token    ok       ok       ok       ok       session  token    token
        before  bar
        request {}
        answer  bars.$bar next_page_token?
      ShareSession            token    training training ok       training session  token    token
        request {"sessionId": "{posted}"}
        answer  share.$share token
      ListSessionShares       token    training training ok       training session  token    token
        request {"sessionId": "{sharedSession}"}
        answer  shares.$share
      RevokeSessionShare      token    share    share    ok       share    session  token    token
        request {"shareId": "{sessionShare}"}
        answer  nothing
      # Not whose it is.
      GetSharedSession        ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{sessionShareToken}"}
        answer  session_id start_time length_s gym_name time_zone focus level preview.title preview.text preview.picture

    tandem.matching.v1.Bars at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListBars                suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{barredId}", "includeEnded": true}
        answer  bars.bar.$bar bars.user_id bars.username? bars.changes.$change
      LiftBar                 suite    service  service  service  service  service  caller   ok
        callers operator
        request {"barId": "{bar}", "reason": "The gym was closed", "actor": "root"}
        answer  bar.$bar bar.lift_time user_id username? changes.$change changes.reason

    fields listing = point.latitude point.longitude accuracy_m focus level shown_point.latitude shown_point.longitude
    fields partner = user_id? username? focus? level? cell_point.latitude? cell_point.longitude? cell_distance_m? exact.point.latitude? exact.point.longitude? exact.accuracy_m? exact.distance_m?
    tandem.matching.v1.Partners at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      SetPartnerListing       token    ok       ok       ok       ok       session  token    token
        request {"listing": {"point": {"latitude": 1.3, "longitude": 103.8}, "accuracyM": 5, "focus": "FOCUS_YOGA", "level": "LEVEL_EXPERT"}}
        answer  $listing
      GetPartnerListing       token    ok       ok       ok       ok       session  token    token
        before  listing
        request {}
        answer  $listing
      RemovePartnerListing    token    ok       ok       ok       ok       session  token    token
        request {}
      FindPartners            token    ok       ok       ok       ok       session  token    token
        request {"point": {"latitude": 1.3, "longitude": 103.8}, "radiusM": 5000}
        answer  partners.$partner next_page_token?
      GetPartner              token    ok       ok       ok       partner  session  token    token
        request {"userId": "{listedId}"}
        answer  $partner

    tandem.matching.v1.Calendars at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      CreateCalendarLink      token    ok       ok       ok       ok       session  token    token
        before  noCalendars
        request {}
        answer  link.link_id link.create_time token
      ListCalendarLinks       token    ok       ok       ok       ok       session  token    token
        request {}
        answer  links.link_id? links.create_time?
      RevokeCalendarLink      token    calendar calendar ok       calendar session  token    token
        request {"linkId": "{calendarLink}"}
      GetCalendar             ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{calendarToken}"}
        answer  calendar

    fields repetition = repetition_id gym.gym_id gym.name gym.point.latitude gym.point.longitude gym.time_zone focus level local_time length_s next_date create_time
    tandem.matching.v1.Repetitions at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      RepeatSession           token    training training ok       training session  token    token
        before  noRepetitions
        request {"sessionId": "{posted}"}
        answer  $repetition
      ListRepetitions         token    ok       ok       ok       ok       session  token    token
        before  noRepetitions
        request {}
      EndRepetition           token    repeated repeated ok       repeated session  token    token
        request {"repetitionId": "{repetition}"}

    tandem.matching.v1.SavedSearches at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      SaveSearch              token    ok       ok       ok       ok       session  token    token
        request {"name": "Yoga", "filter": {"focuses": ["FOCUS_YOGA"]}}
        answer  search_id name filter.focuses create_time
      ListSavedSearches       token    ok       ok       ok       ok       session  token    token
        request {}
        answer  searches.search_id? searches.name? searches.filter.focuses? searches.create_time?
      DeleteSavedSearch       token    search   search   ok       search   session  token    token
        request {"searchId": "{savedSearch}"}

    fields waiting = session_id start_time end_time gym.gym_id gym.name gym.point.latitude gym.point.longitude gym.time_zone focus place
    tandem.matching.v1.WaitingLists at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      JoinWaitingList         token    ok       poster   poster   training session  token    token
        request {"sessionId": "{match}"}
        answer  $waiting
      LeaveWaitingList        token    ok       ok       ok       ok       session  token    token
        request {"sessionId": "{match}"}
      ListMyWaiting           token    ok       ok       ok       ok       session  token    token
        request {}
        answer  entries.session_id? entries.start_time? entries.end_time? entries.gym.gym_id? entries.gym.name? entries.gym.point.latitude? entries.gym.point.longitude? entries.gym.time_zone? entries.focus? entries.place? entries.offer_expire_time?

    """
}
