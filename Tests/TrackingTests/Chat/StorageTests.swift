import ChatDomain
import Identifiers
import TTRPC
import TTRPCClient
import TandemChat
import TestServices
import TestSupport
import Testing

@Suite("what is stored of a user in conversations", .timeLimit(.minutes(5)))
struct StorageTests {
  @Test("[TR-32] A6: what a user sends is counted in messages and bytes, changed with edits and deletions, and shown")
  func counted() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      #expect(try await tracking.storage() == [0, 0])
      try await tracking.connected([.ada], to: id) { _ async throws in
        let sent = try await tracking.send("ünd", to: id)
        #expect(try await tracking.storage() == [1, 4])
        _ = try await tracking.chat.editMessage(
          EditMessageRequest(conversationID: "\(id)", sequence: sent.sequence, text: "longer"), TestUser.ada.options)
        #expect(try await tracking.storage() == [1, 6])
        _ = try await tracking.send("two", to: id)
        for _ in 0..<2 {
          _ = try await tracking.chat.deleteMessage(
            DeleteMessageRequest(conversationID: "\(id)", sequence: sent.sequence), TestUser.ada.options)
        }
        #expect(try await tracking.storage() == [2, 3])
        #expect(try await tracking.storage(of: .grace) == [0, 0])
      }
      let shown = try await tracking.chat.getStorage(GetStorageRequest(), TestUser.ada.options)
      #expect(shown.limits?.messages == 1_000_000 && shown.limits?.bytes == 256 << 20)
      #expect(shown.used?.pictures == 0 && shown.limits?.pictures == 10_000)
    }
  }

  @Test(
    "[TR-32] [TR-33] A6: of 40 messages or edits at once, in two conversations, as many are stored as the quota has room for"
  )
  func race() async throws {
    try await RunningTracking.with { tracking in
      let ids = [
        try await tracking.conversation(1, of: [.ada, .grace]), try await tracking.conversation(2, of: [.ada, .alan]),
      ]
      try await tracking.connected([.ada], to: ids[0]) { devices async throws in
        try await devices[0].open(ids[1])
        try await tracking.send("four", to: ids[0])
        for room in [
          "messages = \(MessageStorage.maxMessages - 10)", "messages = 1, bytes = \(MessageStorage.maxBytes - 40)",
        ] {
          try await tracking.sql("update chat_storage set \(room)")
          let sent = await tracking.service.race(40) { client, number in
            try await ChatClient(client).sendMessage(
              SendMessageRequest(
                conversationID: "\(ids[number % 2])", clientMessageID: "\(Device.newID())", text: "four"),
              TestUser.ada.options)
          }
          #expect(sent.successes().count == 10)
          #expect(sent.refusals().map(\.reason) == Array(repeating: "STORAGE_QUOTA_EXCEEDED", count: 30))
        }
        #expect(try await tracking.storage() == [11, MessageStorage.maxBytes])
        // Of the 21 messages each is edited once at the least.
        try await tracking.sql("update chat_storage set bytes = \(MessageStorage.maxBytes - 20)")
        let rows = try await tracking.sql(
          "select conversation_id, sequence from chat_messages where sender_id is not null and notice is null order by 1, 2"
        )
        let edits = rows.compactMap { row in
          row[0].flatMap { id in
            row[1].flatMap { Int64($0) }.map { EditMessageRequest(conversationID: id, sequence: $0, text: "fourteen") }
          }
        }
        #expect(edits.count == 21)
        let edited = await tracking.service.race(21) { client, number in
          try await ChatClient(client).editMessage(edits[number], TestUser.ada.options)
        }
        #expect(edited.successes().count == 5)
        #expect(edited.refusals().map(\.reason) == Array(repeating: "STORAGE_QUOTA_EXCEEDED", count: 16))
        #expect(try await tracking.storage() == [11, MessageStorage.maxBytes])
      }
    }
  }

  @Test("[TR-32] A6: of two pictures uploaded at once behind 9,999 others one is stored, and none afterwards")
  func pictures() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.sql(
        """
        insert into chat_pictures (id, conversation_id, uploader_id, uploaded_at)
        select gen_random_uuid(), '\(id)', '\(TestUser.ada.id)', '\(tracking.clock.now)' from generate_series(1, 9999)
        """)
      @Sendable func upload(_ chat: ChatClient) async throws -> Picture {
        try await chat.uploadPicture(TestUser.ada.options) { writer in
          try await writer.send(UploadPictureRequest(chunk: file, conversationID: id.description))
        }
      }
      let uploads = await tracking.service.race(2) { client, _ in try await upload(ChatClient(client)) }
      #expect(uploads.successes().count == 1)
      #expect(uploads.refusals().map(\.reason) == ["STORAGE_QUOTA_EXCEEDED"])
      let refused = try await refusal { try await upload(tracking.chat) }
      #expect(refused.reason == "STORAGE_QUOTA_EXCEEDED" && refused.errorInfo?.metadata["kind"] == "pictures")
      #expect(try await tracking.value("select count(*) from chat_pictures") == "10000")
    }
  }

  @Test(
    "[TR-32] A6: messages of a conversation that all have left are given back to their senders when they are removed")
  func abandoned() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await RunningTracking.with(on: database, ManualClock()) { tracking in
        let (left, kept) = (
          try await tracking.conversation(1, of: [.ada, .grace]), try await tracking.conversation(2, of: [.ada])
        )
        try await tracking.connected([.ada], to: left) { devices async throws in
          try await devices[0].open(kept)
          for (text, id) in [("one", left), ("three", left), ("kept", kept)] { try await tracking.send(text, to: id) }
        }
        for user in [TestUser.ada, .grace] { try await tracking.remove(user, left) }
        #expect(try await tracking.storage() == [3, 12])
      }
      // A service that starts sweeps.
      try await RunningTracking.with(on: database, ManualClock()) { tracking in
        try await until("the conversation is removed") {
          try await tracking.value("select count(*) from chat_conversations") == "1"
        }
        #expect(try await tracking.storage() == [1, 4])
      }
    }
  }

  @Test("[TR-32] A6: beyond the quota a message and a longer text are refused by its name, and another user's are not")
  func refused() async throws {
    try await RunningTracking.with { tracking in
      let id = try await tracking.conversation(of: [.ada, .grace])
      try await tracking.connected([.ada, .grace], to: id) { _ async throws in
        let sent = try await tracking.send("four", to: id)
        try await tracking.sql("update chat_storage set bytes = \(MessageStorage.maxBytes - 2)")
        let tooLong = try await refusal { try await tracking.send("xyz", to: id) }
        #expect(tooLong.code == .resourceExhausted && tooLong.reason == "STORAGE_QUOTA_EXCEEDED", "\(tooLong)")
        #expect(tooLong.errorInfo?.metadata["kind"] == "bytes")
        let edited = try await refusal {
          try await tracking.chat.editMessage(
            EditMessageRequest(conversationID: "\(id)", sequence: sent.sequence, text: "fourteen"), TestUser.ada.options
          )
        }
        #expect(edited.reason == "STORAGE_QUOTA_EXCEEDED", "\(edited)")
        _ = try await tracking.send("xy", to: id)
        try await tracking.sql("update chat_storage set bytes = 0, messages = \(MessageStorage.maxMessages)")
        let tooMany = try await refusal { try await tracking.send("x", to: id) }
        #expect(tooMany.reason == "STORAGE_QUOTA_EXCEEDED" && tooMany.errorInfo?.metadata["kind"] == "messages")
        _ = try await tracking.send("mine", to: id, as: .grace)
      }
      #expect(try await tracking.value("select count(*) from chat_messages where notice is null") == "3")
    }
  }
}

extension RunningTracking {
  @discardableResult
  fileprivate func send(
    _ text: String, to id: ConversationID, as user: TestUser = .ada
  ) async throws -> SendMessageResponse {
    try await chat.sendMessage(
      SendMessageRequest(conversationID: "\(id)", clientMessageID: "\(Device.newID())", text: text), user.options)
  }

  /// Messages and bytes.
  fileprivate func storage(of user: TestUser = .ada) async throws -> [Int64] {
    let used = try await chat.getStorage(GetStorageRequest(), user.options).used
    return [used?.messages ?? -1, used?.bytes ?? -1]
  }
}
