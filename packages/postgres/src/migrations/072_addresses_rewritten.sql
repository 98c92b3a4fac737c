-- Time at which all addresses of an account were in the form in which they are read today. Null: an earlier version has stored some, or the
-- country or the identifiers were changed since, so `headwater accounts canonicalize` is to be run.
ALTER TABLE intake.accounts ADD COLUMN addresses_rewritten_at timestamptz;
ALTER TABLE intake.accounts ALTER COLUMN addresses_rewritten_at SET DEFAULT now();
