extension AccessTable {
  /// Activities; `tandem.importer.v1.Activities`. Where an activity is named, the owner has imported it; every user sees only their own.
  static let importer = """
    fields activity = activity_id sport start_time time_zone duration_s moving_s distance_m ascent_m elevation_source title sources.source_id sources.provider sources.external_id sources.start_time sources.duration_s sources.distance_m sources.has_track sources.device
    fields import = import_id format state start_time activity_ids new_activities? known_activities?
    # A link as it is listed: without its secret.
    fields share = share_id activity_id create_time
    tandem.importer.v1.Activities at importer
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ImportFile              token    ok       ok       ok       ok       session  token    token
        request {"chunk": "{gpx}"}
        answers all
        answer  byte_limit result.$import
      ListFileImports         token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {}
        answer  imports.import_id imports.format imports.state imports.start_time imports.activity_ids imports.new_activities? imports.known_activities? next_page_token?
      ListActivities          token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {}
        answer  activities.activity_id activities.sport activities.start_time activities.time_zone activities.duration_s activities.moving_s activities.distance_m activities.ascent_m activities.elevation_source activities.title activities.sources.source_id activities.sources.provider activities.sources.external_id activities.sources.start_time activities.sources.duration_s activities.sources.distance_m activities.sources.has_track activities.sources.device
      GetActivity             token    activity activity ok       activity session  token    token
        request {"activityId": "{activity}"}
        answer  $activity track.latitude track.longitude track.elevation_m track.elapsed_s? splits.distance_m splits.duration_s splits.ascent_m
      SplitActivity           token    activity activity split    activity session  token    token
        request {"activityId": "{activity}", "sourceId": "{activitySource}"}
        answer  nothing
      DeleteActivity          token    activity activity ok       activity session  token    token
        request {"activityId": "{activity}"}
        answer  nothing
      DeleteImportedData      token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {"provider": "file"}
        answer  deleted_activities
      SummarizeActivities     token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {"period": "SUMMARY_PERIOD_MONTH", "fromDate": {"year": 2025, "month": 6, "day": 1}, "toDate": {"year": 2025, "month": 6, "day": 30}}
        answer  summaries.start_date summaries.activities summaries.duration_s summaries.distance_m summaries.ascent_m summaries.sports.sport summaries.sports.activities summaries.sports.duration_s summaries.sports.distance_m
      ListPersonalRecords     token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {}
        answer  records.sport records.kind records.distance_m records.duration_s records.activity_id records.start_time
      GetStorage              token    ok       ok       ok       ok       session  token    token
        before  ownActivity
        request {}
        answer  used.activity_sources used.bytes limits.activity_sources limits.bytes limits.step_days limits.sleeps limits.weights
      ExportActivities        token    ok       ok       ok       ok       session  token    token
        request {}
        answers 1
        answer  chunk
      ShareActivity           token    activity activity ok       activity session  token    token
        request {"activityId": "{activity}"}
        answer  share.$share token
      ListActivityShares      token    activity activity ok       activity session  token    token
        request {"activityId": "{sharedActivity}"}
        answer  shares.$share
      RevokeActivityShare     token    share    share    ok       share    session  token    token
        request {"shareId": "{activityShare}"}
        answer  nothing
      # Neither whose it is, nor where it was.
      GetSharedActivity       ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{activityShareToken}"}
        answer  sport start_date duration_s moving_s distance_m preview.title preview.text preview.picture
    """
}
