extension AccessTable {
  /// Gyms; `tandem.catalog.v1.Gyms`.
  static let gyms = """
    fields gym = gym_id name point.latitude point.longitude address.street address.house_number address.postcode address.city address.country phone website time_zone opening_hours.text opening_hours.understood opening_hours.week.weekday opening_hours.week.spans.open_time opening_hours.week.spans.close_time open_state next_change_time usage.percentage usage.people usage.capacity usage.observe_time usage.source
    tandem.catalog.v1.Gyms at catalog
                              nobody   stranger member   owner    blocked  revoked  service  operator
      GetGym                  token    ok       ok       ok       ok       session  token    token
        request {"gymId": "{gym}"}
        answer  $gym
      LookUpGym               suite    service  service  service  service  service  caller   caller
        callers matching
        request {"gymId": "{gym}"}
        answer  gym_id name point.latitude point.longitude time_zone
      FindNearestGyms         token    ok       ok       ok       ok       session  token    token
        before  gym
        request {"point": {"latitude": 1.3, "longitude": 103.8}}
        answer  gyms.gym.$gym gyms.distance_m
      SearchGyms              token    ok       ok       ok       ok       session  token    token
        before  gym
        request {"query": "ironworks"}
        answer  gyms.$gym match
      SearchGyms              token    ok       ok       ok       ok       session  token    token
        before  gym
        request {"query": "ironworks", "point": {"latitude": 1.3, "longitude": 103.8}}
        answer  gyms.$gym distances_m match
      ReportUsage             suite    service  service  service  service  service  caller   ok
        callers operator usage-feed
        request {"reports": [{"gymId": "{uncountedGym}", "people": 12}]}
        answer  stored

    """
}
