import { type CapabilityMetadata, questionFor } from '#lib/capabilities/index.ts';
import type { ExecutionPlan } from './plan.ts';
import type { Locale } from './run.ts';

/**
 * What the deterministic supervisor says when the plan has no step: it never leaves a person with "I don't understand", but
 * with what can be done here. Markdown in the run's language.
 */
export function answerWithoutSteps(plan: ExecutionPlan, capabilities: readonly CapabilityMetadata[], locale: Locale): string {
  const offers = listOffers(capabilities, locale);
  const say = TEXTS[locale];
  switch (plan.intent.kind) {
    case 'greeting':
      return `${say.greeting}\n\n${offers}`;
    case 'help':
      return `${say.help}\n\n${offers}`;
    case 'clarify':
      return clarify(plan, capabilities, locale);
    case 'empty':
      return `${say.empty}\n\n${offers}`;
    default:
      return `${say.unsupported}\n\n${offers}`;
  }
}

/**
 * What is said after the steps: what a further request still needs, and which part of the message nothing here answers. ''
 * when every part was answered.
 */
export function answerTheRest(plan: ExecutionPlan, capabilities: readonly CapabilityMetadata[], locale: Locale): string {
  const unanswered = (plan.unanswered ?? []).map((clause) => TEXTS[locale].unanswered(shorten(clause)));
  return [clarify(plan, capabilities, locale), ...unanswered].filter((part) => part !== '').join('\n\n');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line;
}

const TEXTS = {
  en: {
    greeting: 'Hello! No model is set up here, so a deterministic planner answers. You can ask for:',
    help: 'This is what can be done here:',
    empty: 'There was no question in the message. You can ask for:',
    unsupported: 'Nothing here can answer that. These requests work:',
    missing: (title: string, argument: string) => `To use **${title}** I still need: \`${argument}\`.`,
    unanswered: (clause: string) => `Nothing here can answer “${clause}”.`,
    forExample: 'For example',
  },
  'zh-CN': {
    greeting: '你好！这里没有配置模型，由确定性规划器作答。你可以这样问：',
    help: '在这里可以做这些事：',
    empty: '消息里没有问题。你可以这样问：',
    unsupported: '这里没有能力可以回答这个问题。以下请求可以处理：',
    missing: (title: string, argument: string) => `要使用**${title}**，还需要：\`${argument}\`。`,
    unanswered: (clause: string) => `这里没有能力可以回答“${clause}”。`,
    forExample: '例如',
  },
} as const;

function listOffers(capabilities: readonly CapabilityMetadata[], locale: Locale): string {
  return capabilities
    .filter((capability) => capability.examples.length > 0)
    .map((capability) => `- **${capability.title[locale]}**: “${capability.examples[0]?.[locale] ?? ''}”`)
    .join('\n');
}

function clarify(plan: ExecutionPlan, capabilities: readonly CapabilityMetadata[], locale: Locale): string {
  const say = TEXTS[locale];
  return (plan.missing ?? [])
    .map(({ capabilityId, argument }) => {
      const capability = capabilities.find((candidate) => candidate.id === capabilityId);
      const example = capability?.examples[0]?.[locale];
      const question = capability && questionFor(capability.inputSchema, argument);
      const ask = question?.[locale] ?? say.missing(capability?.title[locale] ?? capabilityId, argument);
      return example ? `${ask} ${say.forExample}: “${example}”` : ask;
    })
    .join('\n\n');
}
