import type { PresetView } from '../contract.ts';

/** The presets of the platform. Plugins bring more; those of a plugin that is not installed are locked. */
export const PLATFORM_PRESETS: readonly PresetView[] = [
  {
    key: 'default',
    name: { en: 'General assistant', 'zh-CN': '通用助手' },
    description: {
      en: 'Plans your request and answers it with the capabilities of this workspace.',
      'zh-CN': '为你的请求制定计划，并用本工作区的能力作答。',
    },
    locked: null,
  },
];
