-- Hashes of erased identifiers are keyed: who has them alone cannot try addresses on them. The secret is made here, once for the installation.
CREATE TABLE erasure_secret (
  id int PRIMARY KEY CHECK (id = 1),
  secret bytea NOT NULL
);
INSERT INTO erasure_secret
  VALUES (1, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- What is kept from now on is HMAC-SHA256(secret, the plain hash of before), so that those there are become what they would have been.
UPDATE erased_identifiers SET hash = encode(sha256(opad || sha256(ipad || convert_to(hash, 'UTF8'))), 'hex')
FROM (
  SELECT
    string_agg(set_byte('\x00'::bytea, 0, get_byte(padded, place) # 54), ''::bytea ORDER BY place) AS ipad,
    string_agg(set_byte('\x00'::bytea, 0, get_byte(padded, place) # 92), ''::bytea ORDER BY place) AS opad
  FROM (SELECT secret || decode(repeat('00', 32), 'hex') AS padded FROM erasure_secret) AS key, generate_series(0, 63) AS place
) AS pads;

-- What ClickHouse held of erased contacts, by itself: whoever writes there leaves out what stands here with that version or a lower one.
CREATE TABLE erased_keys (
  account int NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('contact', 'order', 'record')),
  key text COLLATE "C" NOT NULL,
  version uuid NOT NULL,
  PRIMARY KEY (account, kind, key)
);
INSERT INTO erased_keys
  SELECT account, 'contact', unnest(numbers)::text, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM erasures
  UNION SELECT account, 'order', json_array_elements_text(orders), max(version::text)::uuid FROM erasures GROUP BY 1, 3
  UNION SELECT account, 'record', (one->>0) || ':' || (one->>1), max(version::text)::uuid
    FROM erasures, json_array_elements(records) AS one GROUP BY 1, 3;
