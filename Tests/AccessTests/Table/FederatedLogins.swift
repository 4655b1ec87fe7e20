extension AccessTable {
  /// Logging in by providers; `tandem.identity.v1.FederatedLogins`.
  static let federatedLogins = """
    fields link = id provider_id issuer email create_time last_use_time?
    tandem.identity.v1.FederatedLogins at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListProviders           ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  providers.provider_id providers.display_name
      StartFederatedLogin     ok       ok       ok       ok       ok       ok       ok       ok
        before  later
        request {"providerId": "{provider}"}
        answer  authorization_url handle expire_time
      CompleteFederatedLogin  ok       ok       ok       ok       ok       ok       ok       ok
        before  later
        request {"state": "{loginState}", "code": "{loginCode}", "handle": "{loginHandle}", "deviceLabel": "Laptop"}
        answer  $tokens
      RegisterWithIdentity    ok       ok       ok       ok       ok       ok       ok       ok
        before  later
        request {"ticket": "{ticket}", "handle": "{ticketHandle}", "username": "{new}", "deviceLabel": "Laptop"}
        answer  user_id login.$tokens
      LinkIdentity            token    ok       ok       ok       ok       session  token    token
        before  later
        request {"ticket": "{ticket}", "handle": "{ticketHandle}"}
        answer  $link
      StartIdentityLink       token    ok       ok       ok       ok       session  token    token
        before  later
        request {"providerId": "{provider}"}
        answer  authorization_url expire_time
      # It was the owner who went to the provider.
      CompleteIdentityLink    token    attempt  attempt  ok       attempt  session  token    token
        before  later
        request {"state": "{linkState}", "code": "{linkCode}"}
        answer  $link
      ListLinkedIdentities    token    ok       ok       ok       ok       session  token    token
        before  identity
        request {}
        answer  identities.$link
      UnlinkIdentity          token    identity identity ok       identity session  token    token
        request {"id": "{ownersIdentity}"}
        answer  nothing

    """
}
