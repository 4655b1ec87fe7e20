import ChatDomain
import Identifiers
import TTRPC
import TandemChat
import TestServices
import TestSupport
import Testing

@Suite("history of conversations", .ownThreads, .timeLimit(.minutes(5)))
struct HistoryTests {
  @Test("[TR-33] history is read by a cursor in both directions, without gap or repetition")
  func cursor() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      try await tracking.connected([.ada], to: id) { devices in
        for number in 2...25 { try await devices[0].say("\(number)", in: id) }
      }
      var (backward, before) = ([Int64](), Int64.max)
      while true {
        let page = try await tracking.history(id, as: .ada, .before(before), size: 7)
        backward = page.messages.map(\.sequence) + backward
        before = page.messages.first?.sequence ?? 1
        if !page.hasMore { break }
      }
      #expect(backward == Array(1...25))
      var (forward, after) = ([Int64](), Int64(0))
      while true {
        let page = try await tracking.history(id, as: .ada, .after(after), size: 7)
        forward += page.messages.map(\.sequence)
        after = page.messages.last?.sequence ?? 0
        if !page.hasMore { break }
      }
      #expect(forward == backward)
      #expect(try await tracking.history(id, as: .ada, size: 3).messages.map(\.sequence) == [23, 24, 25])
    }
  }

  @Test("[TR-33] unread counts are right after messages, edits, deletions and marks, which never go back")
  func unread() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let first = try await tracking.say("one", in: id, as: .ada)
      let second = try await tracking.say("two", in: id, as: .ada)
      _ = try await tracking.say("own", in: id, as: .grace)
      #expect(try await tracking.unread(id, as: .grace) == 2)
      _ = try await tracking.chat.editMessage(
        EditMessageRequest(conversationID: id.description, sequence: first, text: "uno"), TestUser.ada.options)
      #expect(try await tracking.unread(id, as: .grace) == 2)
      _ = try await tracking.chat.deleteMessage(
        DeleteMessageRequest(conversationID: id.description, sequence: second), TestUser.ada.options)
      #expect(try await tracking.unread(id, as: .grace) == 1)
      let marked = try await tracking.chat.markRead(
        MarkReadRequest(conversationID: id.description, sequence: 99), TestUser.grace.options)
      #expect(marked == MarkReadResponse(readSequence: 5, unreadCount: 0))
      let back = try await tracking.chat.markRead(
        MarkReadRequest(conversationID: id.description, sequence: 1), TestUser.grace.options)
      #expect(back == MarkReadResponse(readSequence: 5, unreadCount: 0))
      #expect(try await tracking.unread(id, as: .ada) == 1)
    }
  }

  @Test(
    "[TR-33] edits, deletions and reactions reach who is connected and who connects later; a deleted message keeps its number"
  )
  func changes() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { devices in
        let first = try await devices[0].say("one", in: id).sequence
        let second = try await devices[0].say("two", in: id).sequence
        try await until("both came") { devices[1].messages(id).count == 2 }
        let before = devices[1].position
        _ = try await tracking.chat.editMessage(
          EditMessageRequest(conversationID: id.description, sequence: first, text: "uno"), TestUser.ada.options)
        _ = try await tracking.chat.react(
          ReactRequest(conversationID: id.description, sequence: first, emoji: "👍"), TestUser.grace.options)
        _ = try await tracking.chat.deleteMessage(
          DeleteMessageRequest(conversationID: id.description, sequence: second), TestUser.ada.options)
        try await until("the deletion came") { devices[1].messages(id).last?.deleteTime != nil }
        let changed = devices[1].messages(id)
        #expect(changed.last { $0.sequence == first }?.text == "uno")
        #expect(
          changed.last { $0.sequence == first }?.reactions == [
            Reaction(userID: TestUser.grace.id.description, emoji: "👍")
          ])
        #expect(changed.last { $0.sequence == second }?.text == "")
        try await tracking.connected(.grace) { later in
          try await later.open(id, after: before)
          try await until("the changes came") { later.messages(id).count == 2 }
          #expect(later.messages(id).map(\.sequence) == [first, second])
          #expect(later.texts(id) == ["uno", ""])
        }
      }
    }
  }

  @Test("[TR-33] only the sender edits and deletes a message, and no user a notice")
  func others() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let number = try await tracking.say("one", in: id, as: .ada)
      for sequence in [number, 2] {
        let edit = try await refusal {
          try await tracking.chat.editMessage(
            EditMessageRequest(conversationID: id.description, sequence: sequence, text: "x"), TestUser.grace.options)
        }
        #expect(edit.code == .permissionDenied && edit.reason == "NOT_THE_SENDER")
        let deletion = try await refusal {
          try await tracking.chat.deleteMessage(
            DeleteMessageRequest(conversationID: id.description, sequence: sequence), TestUser.grace.options)
        }
        #expect(deletion.reason == "NOT_THE_SENDER")
      }
      let reaction = try await refusal {
        try await tracking.chat.react(
          ReactRequest(conversationID: id.description, sequence: 2, emoji: "👍"), TestUser.grace.options)
      }
      #expect(reaction.reason == "SYSTEM_MESSAGE")
      let missing = try await refusal {
        try await tracking.chat.editMessage(
          EditMessageRequest(conversationID: id.description, sequence: 99, text: "x"), TestUser.ada.options)
      }
      #expect(missing.code == .notFound && missing.reason == "MESSAGE_NOT_FOUND")
    }
  }

  @Test("[C-4] a repeated edit with one request_id has no further effect")
  func requestID() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let number = try await tracking.say("one", in: id, as: .ada)
      let call = EditMessageRequest(
        conversationID: id.description, sequence: number, text: "two", requestID: "\(Device.newID())")
      let first = try await tracking.chat.editMessage(call, TestUser.ada.options)
      #expect(try await tracking.chat.editMessage(call, TestUser.ada.options) == first)
      #expect(try await tracking.value("select last_revision from chat_conversations") == "1")
    }
  }

  @Test("search finds words in the conversations of the user, from joining on, and not in deleted messages")
  func search() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let other = try await tracking.conversation(2, of: [.alan])
      _ = try await tracking.say("the blue bicycle", in: id, as: .ada)
      try await tracking.join(.grace, id)
      let kept = try await tracking.say("a red bicycle and more", in: id, as: .ada)
      let deleted = try await tracking.say("another bicycle", in: id, as: .ada)
      _ = try await tracking.say("alan's bicycle", in: other, as: .alan)
      _ = try await tracking.chat.deleteMessage(
        DeleteMessageRequest(conversationID: id.description, sequence: deleted), TestUser.ada.options)
      let found = try await tracking.chat.searchMessages(
        SearchMessagesRequest(query: "BICYCLE"), TestUser.grace.options)
      #expect(found.messages.map { $0.message?.sequence } == [kept])
      let all = try await tracking.chat.searchMessages(
        SearchMessagesRequest(query: "bicycle -blue", conversationID: id.description), TestUser.ada.options)
      #expect(all.messages.map { $0.message?.text } == ["a red bicycle and more"])
      let none = try await tracking.chat.searchMessages(SearchMessagesRequest(query: "!!"), TestUser.ada.options)
      #expect(none.notice == "No messages found")
      let negative = try await tracking.chat.searchMessages(SearchMessagesRequest(query: "-blue"), TestUser.ada.options)
      #expect(negative.messages == [] && negative.notice == "No messages found")
    }
  }

  @Test("[TR-33] T-5: search folds case and accents of every script, and finds words within Chinese, Japanese and Thai")
  func foldedSearch() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      let texts = [
        "Привет, мир", "L'ÉLAN vital", "Η ΕΛΛΆΔΑ", "我的自行车在图书馆", "\u{3053}\u{308C}\u{306F}\u{672C}\u{3067}\u{3059}",
        "ฉันรักแมว",
        "Straße -1", "שָׁלוֹם", "Ὀδυσσεύς", "\u{643}\u{650}\u{62A}\u{64E}\u{627}\u{628}", "ខ្ញុំស្រលាញ់ភាសាខ្មែរ",
      ]
      var numbers: [Int64] = []
      for text in texts { numbers.append(try await tracking.say(text, in: id, as: .ada)) }
      func found(_ query: String) async throws -> [String] {
        try await tracking.chat.searchMessages(SearchMessagesRequest(query: query), TestUser.ada.options)
          .messages.compactMap { $0.message?.text }
      }
      for (query, place) in [
        ("привет", 0), ("МИР", 0), ("élan", 1), ("elan", 1), ("l’élan", 1), ("ελλαδα", 2), ("自行车", 3), ("图书馆", 3),
        ("本", 4),
        ("รัก", 5), ("แมว", 5), ("STRASSE", 6), ("שלום", 7), ("οδυσσευσ", 8), ("\u{643}\u{62A}\u{627}\u{628}", 9),
        ("ភាសា", 10),
        ("\"мир\" -élan", 0), ("\"привет мир\"", 0), ("nothing or élan", 1),
      ] { #expect(try await found(query) == [texts[place]], "\(query)") }
      for query in ["行自车", "\"мир привет\"", "привет -МИР", "-привет", "\"", "- -", "or", "แรัก", "我在"] {
        #expect(try await found(query) == [], "\(query)")
      }

      // An edited text is found by its new words alone; one that was stored without words, once they are added.
      _ = try await tracking.chat.editMessage(
        EditMessageRequest(conversationID: id.description, sequence: numbers[0], text: "До свидания"),
        TestUser.ada.options)
      #expect(try await found("привет") == [])
      #expect(try await found("ДО") == ["До свидания"])
      try await tracking.sql("update chat_messages set words = null")
      try await until("the words are there again") { try await found("ελλαδα") == [texts[2]] }
      _ = try await tracking.chat.deleteMessage(
        DeleteMessageRequest(conversationID: id.description, sequence: numbers[2]), TestUser.ada.options)
      #expect(try await tracking.value("select words from chat_messages where sequence = \(numbers[2])") == nil)

      // What a replica of the version before changes has no words, until these are added.
      try await tracking.sql("update chat_messages set text = 'changed' where text = 'До свидания'")
      #expect(try await found("ДО") == [])
      try await until("it is found by its new words") { try await found("changed") == ["changed"] }
    }
  }

  @Test(
    "[TR-33] [C-12] T-7: half a flag is no reaction, and a heart is one with or without the selector of its picture")
  func reactions() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada])
      var call = ReactRequest(
        conversationID: id.description, sequence: try await tracking.say("hello", in: id, as: .ada), emoji: "\u{1F1E9}")
      let refused = try await refusal { try await tracking.chat.react(call, TestUser.ada.options) }
      #expect(refused.code == .invalidArgument && refused.reason == "EMOJI_INVALID" && refused.fields == ["emoji"])
      for emoji in ["\u{2764}", "\u{2764}\u{FE0F}"] {
        call.emoji = emoji
        _ = try await tracking.chat.react(call, TestUser.ada.options)
        #expect(try await tracking.value("select emoji from chat_reactions") == "\u{2764}\u{FE0F}")
      }
      #expect(
        try await tracking.value("select last_revision from chat_conversations") == "1", "the second is no change")
    }
  }

  @Test("[TR-33] [C-5] a search in 100 conversations has each message that the user may see once, the newest first")
  func searchInMany() async throws {
    try await RunningTracking.with { tracking in
      // In each conversation the third message is from before Ada joined it, the last ones have the word, but for one.
      try await tracking.sql(
        """
        insert into chat_conversations (id, kind, last_sequence, created_at)
        select ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'GROUP', 6, now()
        from generate_series(1, 101) as number;
        insert into chat_members (conversation_id, user_id, first_sequence, read_sequence)
        select id, '\(TestUser.ada.id)', 4, 0 from chat_conversations order by id limit 100;
        insert into chat_messages (conversation_id, sequence, sender_id, client_message_id, text, words, created_at)
        select id, sequence, '\(TestUser.grace.id)', gen_random_uuid(), case sequence when 5 then 'nothing' else 'a red bicycle' end,
          case sequence when 5 then '''nothing'':1' else '''a'':1 ''red'':2 ''bicycle'':3' end::tsvector,
          now() + sequence * interval '1 second' + (row_number() over (order by id)) * interval '10 seconds'
        from chat_conversations, generate_series(3, 6) as sequence
        """)
      var (seen, call) = ([FoundMessage](), SearchMessagesRequest(query: "bicycle", pageSize: 70))
      repeat {
        let page = try await tracking.chat.searchMessages(call, TestUser.ada.options)
        seen += page.messages
        call.pageToken = page.nextPageToken
      } while !call.pageToken.isEmpty
      #expect(seen.count == 200 && Set(seen.map(\.conversationID)).count == 100)
      #expect(seen.map { $0.message?.sequence } == (0..<100).flatMap { _ in [6, 4] })
      #expect(seen.map(\.conversationID) == seen.map(\.conversationID).sorted(by: >))

      call = SearchMessagesRequest(query: "bicycle", conversationID: seen[0].conversationID)
      #expect(try await tracking.chat.searchMessages(call, TestUser.ada.options).messages.count == 2)
      let stranger = SearchMessagesRequest(query: "bicycle")
      #expect(try await tracking.chat.searchMessages(stranger, TestUser.alan.options).messages == [])
    }
  }

  @Test("[C-5] 10,000 conversations of one user are listed page by page while messages arrive, each once")
  func manyConversations() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.sql(
        """
        insert into chat_conversations (id, kind, first_user_id, second_user_id, created_at)
        select gen_random_uuid(), 'DIRECT', least(o, '\(TestUser.ada.id)'::uuid), greatest(o, '\(TestUser.ada.id)'::uuid), now()
        from (select gen_random_uuid() as o from generate_series(1, 10000)) as others;
        insert into chat_members (conversation_id, user_id, first_sequence, read_sequence)
        select id, '\(TestUser.ada.id)', 1, 0 from chat_conversations;
        analyze chat_conversations; analyze chat_members
        """)
      let id = try await tracking.conversation(of: [.ada])
      var (seen, token) = (Set<String>(), "")
      var pages = 0
      repeat {
        let page = try await tracking.chat.listConversations(
          ListConversationsRequest(pageSize: 200, pageToken: token), TestUser.ada.options)
        for one in page.conversations { #expect(seen.insert(one.conversationID).inserted) }
        token = page.nextPageToken
        pages += 1
        if pages == 20 { _ = try await tracking.say("meanwhile", in: id, as: .ada) }
      } while !token.isEmpty
      #expect(seen.count == 10_001)
    }
  }

  @Test("a picture is sent once, read by members who see its message, and goes with it")
  func picture() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      let picture = try await tracking.chat.uploadPicture(TestUser.ada.options) { writer in
        try await writer.send(UploadPictureRequest(chunk: file, conversationID: id.description))
      }
      @Sendable func message() -> SendMessageRequest {
        SendMessageRequest(
          conversationID: id.description, clientMessageID: "\(Device.newID())", pictureID: picture.pictureID)
      }
      func read(_ user: TestUser) async throws -> Int {
        let call = DownloadPictureRequest(conversationID: id.description, pictureID: picture.pictureID)
        return try await tracking.chat.downloadPicture(call, user.options) { chunks in
          var count = 0
          for try await chunk in chunks { count += chunk.chunk.count }
          return count
        }
      }
      let early = try await refusal { try await read(.grace) }
      #expect(early.reason == "PICTURE_NOT_FOUND")
      let sent = try await tracking.connected([.ada], to: id) { devices in
        let event = try await devices[0].ask(.send(message()))
        guard case .sent(let sent) = event.event else { throw Device.UnexpectedEvent(event: event) }
        let again = try await devices[0].ask(.send(message()))
        guard case .refusal(let refused) = again.event else { throw Device.UnexpectedEvent(event: again) }
        #expect(refused.reason == "PICTURE_USED")
        return sent
      }
      #expect(try await read(.grace) == Int(picture.renditions.first?.byteCount ?? 0))
      _ = try await tracking.chat.deleteMessage(
        DeleteMessageRequest(conversationID: id.description, sequence: sent.sequence), TestUser.ada.options)
      #expect(try await tracking.value("select count(*) from pictures") == "0")
    }
  }
}
