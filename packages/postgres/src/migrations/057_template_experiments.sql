-- Experiments of published templates. `definition` is a hash of the experiment and its contents: another one begins anew. `learnt` is JSON text of
-- what was learnt: a champion's decision, which is stored once, or the weights of a bandit in force. A champion's test begins with the first send
-- that a look finds (`test_began_at`). `look_at` is when a worker looks next; null where there is nothing to learn. Times are milliseconds since 1970.
CREATE TABLE template_experiments (
  account int NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  definition text COLLATE "C" NOT NULL,
  began_at bigint NOT NULL,
  test_began_at bigint,
  look_at bigint,
  learnt text,
  PRIMARY KEY (account, mdt_id)
);
CREATE INDEX template_experiments_due ON template_experiments (look_at) WHERE look_at IS NOT NULL;
