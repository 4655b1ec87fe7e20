import Postgres

extension InsertSigningKey {
  package init(_ key: StoredSigningKey) {
    self.init(id: key.id, publicKey: key.publicKey, sealedPrivateKey: key.sealedPrivateKey, createdAt: key.createdAt)
  }
}
