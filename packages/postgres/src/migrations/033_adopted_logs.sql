-- From which offset on a partition is another log than the one before: its tail was lost, its topic made anew, or its retention passed.
-- Whatever the former log held at or behind `lost_from` and was not applied is lost. `lost_to` bounds it where the log itself is the same
-- (retention); else what was appended before `starts_at`, the append time of the new log's first record, is of the former one.
CREATE TABLE losses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  generation int NOT NULL,
  first_offset bigint NOT NULL,
  applied_to bigint NOT NULL,
  lost_from bigint NOT NULL,
  lost_to bigint,
  starts_at bigint NOT NULL,
  records bigint NOT NULL,
  activities bigint NOT NULL,
  reason text NOT NULL,
  adopted_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (topic, partition, generation)
);

-- Records that were accepted and lost, where `accounting` had counted them.
CREATE TABLE lost_counts (
  account int NOT NULL,
  hour int NOT NULL,
  operation text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (account, hour, operation, topic, partition)
);

-- What operators did that passes data over, in the transaction of its effect.
CREATE TABLE operator_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  who text NOT NULL,
  action text NOT NULL,
  digest text NOT NULL,
  reason text NOT NULL,
  before json NOT NULL,
  after json NOT NULL
);
