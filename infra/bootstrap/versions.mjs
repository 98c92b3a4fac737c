/** What Maven fetches; the poms in infra/embedded pin the same, and a test compares them. */
export const kafkaVersion = "4.3.1";
export const registryVersion = "3.0.9";
