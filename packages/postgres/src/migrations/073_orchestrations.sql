-- Orchestrations. `content` is JSON text: `draft`, what an editor has saved, and `published`, the composition of the version that new runs
-- follow. A deleted one that was published keeps its row until its runs have ended. Times are milliseconds since 1970.
CREATE TABLE orchestrations (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  tags text[],
  is_enabled boolean NOT NULL,
  -- When it was last enabled: facts applied before that start no run.
  enabled_at bigint,
  version int,
  composition_id text COLLATE "C",
  published_at bigint,
  content text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint,
  PRIMARY KEY (account, id)
);
CREATE INDEX orchestrations_created ON orchestrations (account, created_at, id);
CREATE INDEX orchestrations_enabled ON orchestrations (account, id) WHERE is_enabled AND version IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX orchestrations_deleted ON orchestrations (deleted_at) WHERE deleted_at IS NOT NULL;

-- Published versions: they never change. `composition` is JSON text, `lists` the ids of the lists that its criteria name by name (JSON text),
-- `nodes` the ids of its nodes, and `migration` where runs of former versions go on (JSON text: former node to new one).
CREATE TABLE orchestration_versions (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  version int NOT NULL,
  composition_id text COLLATE "C" NOT NULL,
  composition text NOT NULL,
  lists text NOT NULL,
  nodes text[] NOT NULL,
  migration text,
  published_at bigint NOT NULL,
  PRIMARY KEY (account, orchestration, version),
  UNIQUE (account, composition_id)
);

-- Templates that the steps of published versions send. `is_current` marks those of the version that new runs follow.
CREATE TABLE orchestration_templates (
  account int NOT NULL,
  composition_id text COLLATE "C" NOT NULL,
  template text COLLATE "C" NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  is_current boolean NOT NULL,
  PRIMARY KEY (account, composition_id, template)
);
CREATE INDEX orchestration_templates_orchestration ON orchestration_templates (account, orchestration);
