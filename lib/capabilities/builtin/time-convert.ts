import { AppError } from '#lib/kernel/index.ts';
import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import { textArgument } from './text-argument.ts';
import { requireZone } from './time-now.ts';
import { ZONE_NAMES } from './zone-names.ts';
import { describeTime, formatOffset, instantOf, wallClockAt, zoneLabel } from './zoned-time.ts';

export const timeConvertMetadata: CapabilityMetadata = {
  id: 'time.convert',
  version: '1.0.0',
  status: 'active',
  domain: 'time',
  title: { en: 'Time zone conversion', 'zh-CN': '时区换算' },
  description: {
    en: 'What a given time in one place is in another.',
    'zh-CN': '把一个地方的某个时间换算成另一个地方的时间。',
  },
  keywords: [
    'time',
    'convert time',
    'what time',
    'time zone',
    'time difference',
    'in my time',
    'local time',
    'when it is',
    '时差',
    '时区',
    '时区换算',
    '换算时间',
    '当地时间',
    '几点',
    '对应',
    '是几点',
  ],
  examples: [
    { en: '3pm in Shanghai in New York time', 'zh-CN': '上海下午3点是纽约几点？' },
    { en: 'If it is 9:00 in London, what time is it in Sydney?', 'zh-CN': '伦敦早上9点，悉尼是几点？' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      time: {
        type: 'string',
        pattern: '^([01]?[0-9]|2[0-3]):[0-5][0-9]$',
        description: 'The time of day, HH:MM on the 24-hour clock.',
        'x-source': 'time',
        'x-ask': { en: 'Which time of day?', 'zh-CN': '几点钟？' },
      },
      date: {
        type: 'string',
        format: 'date',
        description: 'The day in the first place, YYYY-MM-DD; today when absent.',
      },
      from: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'Where that is the time: an IANA zone, city or country; the person’s own zone when absent.',
        'x-values': ZONE_NAMES,
        'x-after': ['from', '从'],
        'x-near': 'time',
      },
      to: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'Where to tell the time: an IANA zone, city or country.',
        'x-values': ZONE_NAMES,
        'x-after': ['to', 'into', 'is it in', 'time in', '是', '换算成', '换成', '转成', '转换成', '转换为', '对应', '到'],
        'x-ask': { en: 'For which city or country?', 'zh-CN': '换算成哪里的时间？' },
      },
    },
    required: ['time', 'to'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 5_000,
};

export function createTimeConvert(): Capability {
  return {
    metadata: timeConvertMetadata,
    handler: async (args, call) => {
      const from = args['from'] === undefined ? call.timeZone : requireZone(textArgument(args, 'from'), call);
      const to = requireZone(textArgument(args, 'to'), call);
      const [hour = Number.NaN, minute = Number.NaN] = textArgument(args, 'time').split(':').map(Number);
      const day = args['date'] === undefined ? wallClockAt(call.clock.now(), from) : readDay(textArgument(args, 'date'), call.locale);
      const { instant, isSkipped } = instantOf({ ...day, hour, minute }, from);
      const there = { source: describeTime(instant, from, call.locale), target: describeTime(instant, to, call.locale) };
      const [source, target] = [zoneLabel(from, call.locale), zoneLabel(to, call.locale)];
      const note = !isSkipped
        ? ''
        : call.locale === 'en'
          ? ` (The clocks in ${source} skip ${textArgument(args, 'time')} on that day; this is ${there.source.time}.)`
          : `（${source}当天因夏令时跳过 ${textArgument(args, 'time')}，这里按 ${there.source.time} 计算。）`;
      return {
        output: {
          instant: instant.toISOString(),
          from: { zone: from, ...there.source, utcOffset: formatOffset(instant, from) },
          to: { zone: to, ...there.target, utcOffset: formatOffset(instant, to) },
        },
        text:
          call.locale === 'en'
            ? `${there.source.time} in ${source} is **${there.target.time}** in ${target} (${there.target.date}).${note}`
            : `${source} ${there.source.time} 是${target} **${there.target.time}**（${there.target.date}）。${note}`,
      };
    },
  };
}

function readDay(text: string, locale: 'en' | 'zh-CN'): { year: number; month: number; day: number } {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = text.split('-').map(Number);
  if (Number.isFinite(Date.UTC(year, month - 1, day))) return { year, month, day };
  throw new AppError({
    code: 'capability_failed',
    message: locale === 'en' ? `“${text}” is not a date. Write it as YYYY-MM-DD.` : `“${text}”不是日期，请写成 YYYY-MM-DD。`,
  });
}
