extension AccessTable {
  /// What every service of the suite answers.
  static let everyService = """
    grpc.health.v1.Health at every
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Check                   ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  status
      Watch                   ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  status

    tandem.rpc.v1.Reflection at every
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListServices            ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  services
      GetFileDescriptorSet    ok       ok       ok       ok       ok       ok       ok       ok
        request {"symbol": "grpc.health.v1.Health"}
        answer  file_descriptor_set

    fields event = position.transaction_id? position.id? topic? key? type? payload? occur_time? trace_parent?
    tandem.events.v1.EventLog at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  ok       caller
        callers matching catalog lending tracking importer
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event
    tandem.events.v1.EventLog at matching
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  caller   caller
        callers identity catalog
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event
    tandem.events.v1.EventLog at catalog
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  caller   caller
        callers identity lending
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event
    tandem.events.v1.EventLog at lending
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  caller   caller
        callers identity catalog
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event
    tandem.events.v1.EventLog at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  caller   caller
        callers identity
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event
    tandem.events.v1.EventLog at importer
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Follow                  suite    service  service  service  service  service  caller   caller
        callers identity
        request {"subscription": {"topics": ["identity.accounts", "catalog.books"], "recent": "1500s"}}
        answer  events.$event

    """
}
