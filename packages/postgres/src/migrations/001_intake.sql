-- What the ingress owns: accounts, keys, Idempotency-Keys. Times are timestamptz here, for one clock (the database's) decides leases.
CREATE SCHEMA intake;

CREATE TABLE intake.accounts (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  settings jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE intake.api_keys (
  id text COLLATE "C" PRIMARY KEY,
  account int NOT NULL REFERENCES intake.accounts (number),
  hash text COLLATE "C" NOT NULL UNIQUE,
  prefix text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_account ON intake.api_keys (account);

-- A row is written twice within seconds (intent, answer): room on the page keeps the second write off the index.
CREATE TABLE intake.idempotency (
  account int NOT NULL,
  route text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  body_hash text COLLATE "C" NOT NULL,
  lease_until timestamptz NOT NULL,
  status int,
  answer jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, route, key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX idempotency_age ON intake.idempotency USING brin (created_at);
