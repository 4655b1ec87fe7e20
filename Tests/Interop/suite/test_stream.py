"""A stream goes on where it was, though its server dies."""

from tandem.api import identity, notification
from tandem.api.blocking.identity import Groups
from tandem.api.blocking.notification import Notifications
from tandem_client import blocking


def test_a_stream_resumes_over_kill_9_without_a_gap(tandem_suite, tandem_users):
    ada, hedy = tandem_users["ada"], tandem_users["hedy"]
    groups, inbox = Groups(ada.client("identity")), Notifications(hedy.client("identity"))

    def begin(after):
        wanted = notification.StreamNotificationsRequest(after=after)
        return inbox.stream_notifications(wanted, wait_for_ready=True, timeout=30)

    stream = blocking.resuming(begin, position=lambda message: message.position, start=0)
    kinds = (one.notification.kind for one in stream if one.HasField("notification"))
    assert next(kinds) == notification.NotificationKind.NOTIFICATION_KIND_WELCOME
    tandem_suite.kill("identity")
    made = groups.create_group(identity.CreateGroupRequest(group={"name": "Early birds"}), timeout=20, wait_for_ready=True)
    wanted = identity.AddGroupMemberRequest(group_id=made.group_id, email=hedy.email)
    groups.add_group_member(wanted, timeout=20, wait_for_ready=True)
    assert next(kinds) == notification.NotificationKind.NOTIFICATION_KIND_GROUP_INVITED
