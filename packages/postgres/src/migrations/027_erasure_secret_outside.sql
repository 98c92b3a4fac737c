-- The secret of the hashes of erased identifiers may be kept outside. Then a value that is keyed with it stands here in its place: it tells
-- whether the secret that a process was given is the one.
ALTER TABLE erasure_secret
  ALTER COLUMN secret DROP NOT NULL,
  ADD COLUMN check_value text COLLATE "C",
  ADD CHECK (num_nonnulls(secret, check_value) = 1);
