export { checkTransport, type TransportCheckPorts } from "./check/checkTransport.ts";
export { createTxtResolver, type ResolveTxt } from "./check/dns/txtLookups.ts";
export type { CheckName, TransportCheck } from "./check/transportCheck.ts";
export { ATTACHMENTS_BYTES_MAX, type MailAttachment, mailAttachments } from "./compose/attachments.ts";
export { type DkimKey, signingKeys, signMail } from "./compose/dkim.ts";
export { problemOfDkimKey } from "./compose/dkimKey.ts";
export { mailHeaders } from "./compose/mailHeaders.ts";
export { messageIdOf } from "./compose/messageId.ts";
export {
  freezeTemplate,
  readSendSettings,
  type TemplateSendSettings,
  type TemplateToFreeze,
} from "./frozen/freezeTemplate.ts";
export { freezeExperiment } from "./frozen/frozenExperiment.ts";
export { type FrozenMessage, frozenMessageShape, readFrozenMessage, usualOnUnknown } from "./frozen/frozenMessage.ts";
export type { Delivered, Handover, OutgoingMail } from "./frozen/handover.ts";
export {
  liquidContext,
  type MessageContext,
  type MessageToRender,
  previewLinks,
  renderRequestOf,
} from "./frozen/renderRequestOf.ts";
export { dataOf, type StoredContent, storedContentShape } from "./frozen/storedContent.ts";
export { includesOf, readTemplateContent, type TemplateContent } from "./frozen/templateContent.ts";
export { createHandover, type HandoverPorts, type TransportToUse } from "./handover/createHandover.ts";
export { Slots } from "./handover/slots.ts";
export { messageLimits } from "./limits.ts";
export {
  classifyAnswer,
  type SendOutcome,
  type SmtpAnswer,
  type SmtpStep,
} from "./outcomes/classifyAnswer.ts";
export { refusalOf, type SoftBounceKind } from "./outcomes/refusal.ts";
export type { ContentPart, PartInclude, PartMistake, PreparedContent } from "./prepare/prepareContent.ts";
export type { JSONValue } from "./providerEvents/expressions.ts";
export type {
  MappingExpression,
  ProviderEvent,
} from "./providerEvents/readProviderEvents.ts";
export type { RenderedMessage, RenderRequest } from "./render/renderMessage.ts";
export { type RenderWarning, renderWarningCodes } from "./render/warnings.ts";
export { createRenderer, type Renderer, type RendererOptions } from "./renderer/createRenderer.ts";
export type { RenderProblem } from "./renderer/renderProblem.ts";
export { linkBaseOf } from "./tracking/linkBase.ts";
export { targetOf } from "./tracking/targetUrl.ts";
export {
  mcIdOf,
  type SendKey,
  type SendNames,
  type SendType,
  sendTypes,
  type TokenKind,
  type TrackedLink,
  type TrackedSend,
  type TrackingToken,
} from "./tracking/trackingToken.ts";
export { createTrackingTokens, type TrackingTokens } from "./tracking/trackingTokens.ts";
export {
  type MessageLinks,
  type MessageToTrack,
  messageLinks,
  type SendTracking,
  type TrackedMessage,
  trackMessage,
} from "./tracking/trackMessage.ts";
export { walkHtml } from "./tracking/walkHtml.ts";
