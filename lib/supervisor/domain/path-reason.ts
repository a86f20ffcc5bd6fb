import type { Locale } from './run.ts';

export type WhyWithoutModel = 'no-model' | 'model-disabled' | 'model-failed' | 'pipeline';

/** Why the model path was not taken: a code for the interface, a sentence for a person (requirement P-04). */
export function whyWithoutModel(
  code: WhyWithoutModel,
  locale: Locale,
  detail = '',
): { readonly code: WhyWithoutModel; readonly text: string } {
  return { code, text: SENTENCES[locale][code] + (detail === '' ? '' : ` ${detail}`) };
}

const SENTENCES: { readonly [L in Locale]: { readonly [Code in WhyWithoutModel]: string } } = {
  en: {
    'no-model': 'No model is configured, so the deterministic planner answered.',
    'model-disabled': 'This workspace does not use its model, so the deterministic planner answered.',
    'model-failed': 'The model failed before it said anything, so the deterministic planner answered.',
    pipeline: 'This preset answers by stages of its own, without a model.',
  },
  'zh-CN': {
    'no-model': '没有配置模型，因此由确定性规划器作答。',
    'model-disabled': '本工作区没有启用模型，因此由确定性规划器作答。',
    'model-failed': '模型在作答之前失败，因此由确定性规划器作答。',
    pipeline: '该预设按自己的阶段作答，不使用模型。',
  },
};
