-- Batch messages. `settings` and `content` are JSON text: members beside the content, and the content with what was made of it when it
-- was saved. `criteria` is JSON text as it was sent, `lists` the ids of the lists that it names by name. `transport_id` is the transport
-- that the message holds; it lets go of it when it is over. `node` is the audience as it was checked by the last call that sent or resumed
-- the message; `frozen` is what its senders read, as it was when it started. `is_ready` says that the last snapshot of its audience is stored.
-- Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE batch_messages (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL
    CHECK (status IN ('draft', 'scheduled', 'pending', 'processing', 'paused', 'sent', 'canceled', 'failed')),
  reason text,
  tags text[],
  transport_id text COLLATE "C",
  audience_key text COLLATE "C",
  criteria text,
  lists text,
  schedule_at bigint,
  settings text NOT NULL,
  content text,
  job text COLLATE "C",
  send_at bigint,
  node text,
  frozen text,
  is_ready boolean NOT NULL DEFAULT false,
  audience_total bigint,
  zones_total int,
  warnings text[],
  started_at bigint,
  ended_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  FOREIGN KEY (account, transport_id) REFERENCES transports (account, id)
);
CREATE INDEX batch_messages_created ON batch_messages (account, created_at, id);
CREATE INDEX batch_messages_due ON batch_messages (send_at) WHERE status = 'scheduled';
CREATE INDEX batch_messages_transport ON batch_messages (account, transport_id) WHERE transport_id IS NOT NULL;
CREATE INDEX batch_messages_job ON batch_messages (account, job) WHERE job IS NOT NULL;

-- Parts of the audience of a batch message: numbers of contacts, in the order in which they are sent to. A row goes in the transaction that
-- makes its contacts rows of `sends`.
CREATE TABLE send_chunks (
  account int NOT NULL,
  message text COLLATE "C" NOT NULL,
  n int NOT NULL,
  zone text COLLATE "C",
  due_at bigint NOT NULL,
  priority smallint NOT NULL,
  contacts bigint[] NOT NULL,
  PRIMARY KEY (account, message, n)
);
CREATE INDEX send_chunks_due ON send_chunks (priority DESC, due_at, account, message);
