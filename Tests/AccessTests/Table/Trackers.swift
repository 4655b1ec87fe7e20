extension AccessTable {
  /// Connections to trackers and imports; `tandem.importer.v1.Trackers` and its service for operators. The provider is not called here, so no
  /// tracker is connected: what needs one is refused after the caller was let in.
  static let trackers = """
    tandem.importer.v1.Trackers at importer
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListTrackers            token    ok       ok       ok       ok       session  token    token
        request {}
        answer  trackers.provider trackers.name trackers.state trackers.kinds
      StartConnection         token    ok       ok       ok       ok       session  token    token
        request {"provider": "strava"}
        answer  authorization_url expire_time
      CompleteConnection      token    attempt  attempt  attempt  attempt  session  token    token
        request {"state": "guess", "code": "guess"}
      Disconnect              token    unconnected unconnected unconnected unconnected session token token
        request {"provider": "strava"}
      StartImport             token    unconnected unconnected unconnected unconnected session token token
        request {"provider": "strava"}
      RestoreDeletedData      token    unconnected unconnected unconnected unconnected session token token
        request {"provider": "strava"}
      GetImport               token    import   import   import   import   session  token    token
        request {"importId": "01900000-0000-7000-8000-000000000001"}
      WatchImport             token    import   import   import   import   session  token    token
        request {"importId": "01900000-0000-7000-8000-000000000001"}
      CancelImport            token    import   import   import   import   session  token    token
        request {"importId": "01900000-0000-7000-8000-000000000001"}
      ListImports             token    ok       ok       ok       ok       session  token    token
        request {}
        answer  nothing
      ReceiveWebhook          ok       ok       ok       ok       ok       ok       ok       ok
        request {"provider": "strava", "method": "GET", "query": [{"name": "hub.challenge", "value": "c"}, {"name": "hub.verify_token", "value": "secret"}]}
        answer  status content_type body
    tandem.importer.v1.TrackerOperators at importer
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListProviders           suite    service  service  service  service  service  caller   ok
        callers operator
        request {}
        answer  providers.provider providers.name providers.requests_left
      SyncProvider            suite    service  service  service  service  service  caller   ok
        callers operator
        request {"provider": "strava"}
        answer  nothing
      PauseProvider           suite    service  service  service  service  service  caller   ok
        callers operator
        request {"provider": "strava"}
        answer  provider name requests_left

    """
}
