-- Calls that want sends, each for up to a hundred contacts: what the sends need to be rendered again. A row goes once all its sends have
-- ended. `merge_data` and `attachments` are JSON text. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE send_wants (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  template text COLLATE "C" NOT NULL,
  is_draft boolean NOT NULL,
  merge_data text NOT NULL,
  attachments text,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX send_wants_created ON send_wants (created_at);

-- One row for each message to each contact, from the want to the outcome. The key makes twice impossible. `claim_until` is of Postgres'
-- clock, so that all senders mean the same moment: until then only `owner` may go on with the row.
CREATE TABLE sends (
  account int NOT NULL,
  message text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  n int NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('b', 'a', 'o', 't')),
  cid text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  classification text COLLATE "C" NOT NULL CHECK (classification IN ('promotional', 'transactional')),
  priority smallint NOT NULL,
  state text COLLATE "C" NOT NULL
    CHECK (state IN ('pending', 'sending', 'deferred', 'sent', 'failed', 'unknown', 'skipped')),
  reason text COLLATE "C",
  variant text COLLATE "C",
  want text COLLATE "C",
  attempts int NOT NULL DEFAULT 0,
  -- Times that it may go out again after an answer was lost.
  resends_left smallint NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint NOT NULL,
  -- First and last intent.
  first_at bigint,
  intended_at bigint,
  -- Its last change of state.
  at bigint NOT NULL,
  owner text COLLATE "C",
  claim_until bigint NOT NULL DEFAULT 0,
  transport text COLLATE "C",
  address text COLLATE "C",
  code int,
  text text,
  PRIMARY KEY (account, message, contact, n)
) WITH (fillfactor = 80, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX sends_due ON sends (account, priority DESC, due_at) WHERE state IN ('pending', 'deferred');
CREATE INDEX sends_claims ON sends (claim_until) WHERE state = 'sending';
-- Caps count what was or may have been handed over.
CREATE INDEX sends_counted ON sends (account, contact, intended_at)
  WHERE classification = 'promotional' AND kind <> 't' AND state IN ('sending', 'sent', 'unknown');
CREATE INDEX sends_contact ON sends (account, contact);
CREATE INDEX sends_want ON sends (account, want) WHERE want IS NOT NULL AND state IN ('pending', 'sending', 'deferred');
CREATE INDEX sends_ended ON sends (at) WHERE state IN ('sent', 'failed', 'unknown', 'skipped');

-- Addresses and domains that get nothing. `hash` is keyed; `shown` is the address beside it, until its contact is erased.
CREATE TABLE suppressions (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL CHECK (target IN ('address', 'domain')),
  hash text COLLATE "C" NOT NULL,
  shown text COLLATE "C",
  reason text COLLATE "C" NOT NULL CHECK (reason IN ('manual', 'hard-bounce', 'complaint', 'erased-unsubscribed')),
  note text,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  CONSTRAINT suppressions_target UNIQUE (account, hash, reason)
);
CREATE INDEX suppressions_created ON suppressions (account, created_at, id);
