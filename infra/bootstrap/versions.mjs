/** Versions that Maven fetches; the poms in infra/embedded pin the same, and a test compares them. */
export const kafkaVersion = "4.3.1";
export const log4jVersion = "2.25.4";
export const registryVersion = "3.0.9";
export const s3proxyVersion = "4.1.1";
export const sshdVersion = "2.15.0";
export const greenmailVersion = "2.1.3";

/** The folders in the cache that hold what a pom names; one that names more gets another folder. */
export const kafkaFolder = `kafka-${kafkaVersion}-log4j-${log4jVersion}`;
export const registryFolder = `registry-${registryVersion}`;
