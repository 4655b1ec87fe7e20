"""The Python kit against the whole suite."""

import asyncio
import queue
import threading
import uuid

import pytest

from tandem.api import identity, notification, rpc
from tandem.api.blocking.identity import Accounts, Groups
from tandem_client import Client, Code, RPCError, Unreachable, blocking, resuming

PATIENCE = 30.0


def test_login_gives_a_session_and_a_wrong_password_a_typed_error(client, ada):
    accounts = Accounts(client)
    session = accounts.login(identity.LoginRequest(email_or_username=ada.username, password=ada.password))
    assert session.user_id == ada.user_id and session.access_token
    with pytest.raises(identity.CredentialsIncorrect) as failure:
        accounts.login(identity.LoginRequest(email_or_username=ada.username, password="wrong"))
    assert failure.value.code == Code.UNAUTHENTICATED and failure.value.domain == "tandem"


def test_a_refusal_names_every_field_and_what_any_method_refuses_has_a_type(client, ada):
    with pytest.raises(RPCError) as failure:
        Accounts(client).register(identity.RegisterRequest(email="no address", username="-", password="x"))
    assert {field.field for field in failure.value.fields} == {"email", "username", "password"}
    with pytest.raises(rpc.TokenMissing):
        Groups(client).list_groups(identity.ListGroupsRequest())
    with pytest.raises(rpc.TokenInvalid):
        Groups(client).list_groups(identity.ListGroupsRequest(), token="no token")
    with pytest.raises(rpc.RequestIdReused):
        groups = Groups(ada.client)
        once = str(uuid.uuid4())
        groups.create_group(identity.CreateGroupRequest(group={"name": "one"}, request_id=once))
        groups.create_group(identity.CreateGroupRequest(group={"name": "another"}, request_id=once))


def test_a_list_with_pages_has_every_row_once(client, hedy):
    groups = Groups(hedy.client)
    names = [f"group {number}" for number in range(5)]
    for name in names:
        groups.create_group(identity.CreateGroupRequest(group={"name": name}))
    seen, token = [], ""
    while True:
        page = groups.list_groups(identity.ListGroupsRequest(page_size=2, page_token=token))
        assert len(page.groups) <= 2
        seen += [group.name for group in page.groups]
        token = page.next_page_token
        if not token:
            break
    assert seen == names


def test_a_deadline_that_is_over_fails_the_call(client, ada):
    with pytest.raises(rpc.DeadlineExceeded):
        Accounts(ada.client).get_own_account(identity.GetOwnAccountRequest(), timeout=0.000_001)


def test_a_server_that_is_not_there_is_unreachable_and_says_when_to_try_again(suite):
    with blocking.Client("127.0.0.1:1", tls=suite.tls) as nowhere:
        with pytest.raises(Unreachable) as failure:
            Accounts(nowhere).get_own_account(identity.GetOwnAccountRequest(), timeout=1.0)
    assert failure.value.retryable and not failure.value.began


def test_a_stream_resumes_over_kill_9_without_a_gap(suite, ada, hedy):
    """Invitations before and after the death of the server come once each, in order, and the calls meanwhile succeed."""

    async def run():
        async with Client(suite.identity, tls=suite.tls) as client:
            inbox = notification.Notifications(client.on_behalf_of(token=hedy.token))
            groups = identity.Groups(client.on_behalf_of(token=ada.token))
            seen, arrived = [], asyncio.Condition()

            async def read():
                stream = resuming(
                    lambda after: inbox.stream_notifications(
                        notification.StreamNotificationsRequest(after=after), wait_for_ready=True
                    ),
                    position=lambda message: message.position,
                    start=0,
                )
                async for message in stream:
                    if message.HasField("notification"):
                        async with arrived:
                            seen.append(message.notification.sequence)
                            arrived.notify_all()

            async def invite(name):
                group = await groups.create_group(
                    identity.CreateGroupRequest(group={"name": name}), timeout=PATIENCE, wait_for_ready=True
                )
                await groups.add_group_member(
                    identity.AddGroupMemberRequest(group_id=group.group_id, email=hedy.email),
                    timeout=PATIENCE,
                    wait_for_ready=True,
                )

            async def count(wanted):
                async with asyncio.timeout(PATIENCE), arrived:
                    await arrived.wait_for(lambda: len(seen) >= wanted)

            reading = asyncio.create_task(read())
            await invite("before")
            await count(1)
            suite.kill_identity()
            await invite("after")
            await count(2)
            reading.cancel()
            assert seen == list(range(seen[0], seen[0] + len(seen)))

    asyncio.run(run())


def test_a_plain_program_reads_a_stream_in_a_thread_and_ends_it(ada):
    from tandem.api.blocking.notification import Notifications

    first = queue.Queue()
    stream = Notifications(ada.client).stream_notifications(notification.StreamNotificationsRequest(after=0))

    def read():
        for message in stream:
            first.put(message.position)

    reader = threading.Thread(target=read)
    reader.start()
    assert first.get(timeout=PATIENCE) >= 0
    stream.cancel()
    reader.join(timeout=PATIENCE)
    assert not reader.is_alive()
