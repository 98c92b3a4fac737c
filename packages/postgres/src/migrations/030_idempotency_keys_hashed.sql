-- Keys that callers made of addresses or orders tell nothing from here on: a hash of account, route and key stands for each.
UPDATE intake.idempotency
  SET key = encode(sha256(convert_to(account::text || E'\n' || route || E'\n' || key, 'UTF8')), 'hex');
