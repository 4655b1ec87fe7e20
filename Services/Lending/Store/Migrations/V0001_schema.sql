comment on schema lending is
'Who has which book: requests, handovers and returns; written by the service lending alone.';
