extension AccessTable {
  /// The methods of `tandem.notification.v1`.
  static let notification = """
    fields news = notification_id sequence kind title body subject create_time read_time?
    fields preference = kind mail? push?
    fields device = device_id platform register_time session_id device_label?
    fields reminder = enabled local_time weekdays time_zone next_time
    tandem.notification.v1.Notifications at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListNotifications       token    ok       ok       ok       ok       session  token    token
        before  news
        request {}
        answer  notifications.$news
      CountUnread             token    ok       ok       ok       ok       session  token    token
        before  news
        request {}
        answer  unread_count
      # What is another's is passed over.
      MarkRead                token    ok       ok       ok       ok       session  token    token
        before  news
        request {"notificationIds": ["{ownersNotification}"]}
        answer  unread_count
        answer to owner: marked_count unread_count?
      StreamNotifications     token    ok       ok       ok       ok       session  token    token
        before  news
        request {"after": "0"}
        answers 2
        answer  position notification.$news
      GetPreferences          token    ok       ok       ok       ok       session  token    token
        request {}
        answer  kinds.$preference
      UpdatePreferences       token    ok       ok       ok       ok       session  token    token
        request {"preferences": {"kinds": [{"kind": "NOTIFICATION_KIND_GYM_REMINDER", "mail": true}]}, "updateMask": "mail"}
        answer  kinds.$preference
      Unsubscribe             ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{unsubscribeToken}"}
        answer  kind
      RegisterDevice          token    ok       ok       ok       ok       session  token    token
        request {"token": "{new}", "platform": "PLATFORM_APPLE"}
        answer  $device
      ListDevices             token    ok       ok       ok       ok       session  token    token
        before  device
        request {}
        answer  devices.$device
      DropDevice              token    device   device   ok       device   session  token    token
        request {"deviceId": "{ownersDevice}"}
        answer  nothing
      GetReminder             token    ok       ok       ok       ok       session  token    token
        before  reminder
        request {}
        answer  $reminder
      SetReminder             token    ok       ok       ok       ok       session  token    token
        request {"reminder": {"enabled": true, "localTime": {"hours": 18}, "weekdays": ["MONDAY"]}}
        answer  $reminder

    fields award = kind title description award_time
    tandem.notification.v1.Badges at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListBadges              token    ok       ok       ok       ok       session  token    token
        before  badge
        request {}
        answer  badges.$award

    """
}
