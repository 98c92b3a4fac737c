-- Endpoints to which events of an account are posted. `actions`: the names of activities that `activity.created` and `message.event` are
-- posted for, null for all. `secret` and `former_secret` are sealed; the former one signs along until `former_until`. `activation` counts how
-- often it was enabled: what was queued under an earlier one is not posted by itself. `failing_since`: the first failure since the last success. Times are milliseconds since 1970.
CREATE TABLE webhooks (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  actions text[],
  description text,
  enabled boolean NOT NULL,
  activation int NOT NULL,
  disabled_reason text,
  secret text NOT NULL,
  former_secret text,
  former_until bigint,
  failing_since bigint,
  last_at bigint,
  last_status int,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX webhooks_created ON webhooks (account, created_at, id);

-- What happened, once: the id follows from the source. `data` is JSON text; `contact` is the cID that it is about.
CREATE TABLE webhook_events (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  at bigint NOT NULL,
  contact text COLLATE "C",
  data text NOT NULL,
  is_truncated boolean NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX webhook_events_contact ON webhook_events (account, contact) WHERE contact IS NOT NULL;
CREATE INDEX webhook_events_age ON webhook_events USING brin (at);

-- An event for an endpoint. `next_at`: when it is due, null once nothing is left to try; while its call is open it is the end of the lease,
-- which stands in `leased_until` as well. `activation`: that of its webhook when it was queued. `tries` is JSON text, the last ones alone.
CREATE TABLE webhook_deliveries (
  account int NOT NULL,
  webhook text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'kept')),
  activation int NOT NULL,
  next_at bigint,
  leased_until bigint,
  attempts int NOT NULL DEFAULT 0,
  tries text NOT NULL DEFAULT '[]',
  PRIMARY KEY (account, webhook, event)
) WITH (fillfactor = 70);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account, webhook, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (account, webhook, at, event);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (account, event);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (at);
