export {
  noteTemplateChild,
  readTemplateChildren,
  type TemplateChild,
} from "./templateChildren.ts";
export {
  type DueTemplateExperiment,
  dropTemplateExperiment,
  dueTemplateExperiments,
  hasSentVariant,
  readTemplateExperiment,
  setTemplateExperiment,
  storeTemplateLearnt,
  type TemplateExperiment,
} from "./templateExperiments.ts";
export {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  type ListedTemplate,
  lockTemplate,
  pageTemplates,
  readTemplate,
  readTemplatesById,
  type StoredTemplate,
  type TemplateFacts,
  type TemplateMembers,
  type TemplatePlace,
  type TemplatesPage,
  templatesOfTransport,
  updateTemplate,
} from "./templates.ts";
