import { AppError } from '#lib/kernel/index.ts';
import type { Capability, CapabilityCall, CapabilityMetadata } from '../domain/capability.ts';
import { textArgument } from './text-argument.ts';
import { ZONE_NAMES } from './zone-names.ts';
import { describeTime, findZone, formatOffset, zoneLabel } from './zoned-time.ts';

export const timeNowMetadata: CapabilityMetadata = {
  id: 'time.now',
  version: '1.0.0',
  status: 'active',
  domain: 'time',
  title: { en: 'Current time', 'zh-CN': '当前时间' },
  description: {
    en: 'The time and date now, here or in a city or country.',
    'zh-CN': '现在的时间和日期，可以问本地，也可以问某个城市或国家。',
  },
  keywords: [
    'time',
    'what time',
    'current time',
    'local time',
    'clock',
    "o'clock",
    'time now',
    'what day',
    "today's date",
    'what date',
    'date today',
    'what is the date',
    'day of the week',
    'time zone',
    '时间',
    '几点',
    '几点了',
    '几点钟',
    '现在几点',
    '现在时间',
    '当地时间',
    '什么时候了',
    '今天几号',
    '几号',
    '星期几',
    '周几',
    '日期',
    '时区',
  ],
  examples: [
    { en: 'What time is it in Tokyo?', 'zh-CN': '东京现在几点？' },
    { en: "What's today's date?", 'zh-CN': '今天几号，星期几？' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      zone: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'An IANA time zone (Asia/Tokyo), or a city or country; the person’s own zone when absent.',
        'x-values': ZONE_NAMES,
        'x-open': true,
        'x-after': ['in'],
        'x-before': ['现在', '当地', '那边'],
        'x-ask': { en: 'Which city or country?', 'zh-CN': '哪个城市或国家？' },
      },
    },
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 5_000,
};

export function createTimeNow(): Capability {
  return {
    metadata: timeNowMetadata,
    handler: async (args, call) => {
      const zone = args['zone'] === undefined ? call.timeZone : requireZone(textArgument(args, 'zone'), call);
      const now = call.clock.now();
      const { date, time } = describeTime(now, zone, call.locale);
      const offset = formatOffset(now, zone);
      const place = zoneLabel(zone, call.locale);
      return {
        output: { zone, instant: now.toISOString(), time, date, utcOffset: offset },
        text:
          call.locale === 'en'
            ? `It is **${time}** in ${place} (${date}, UTC${offset}).`
            : `${place}现在是 **${time}**（${date}，UTC${offset}）。`,
      };
    },
  };
}

/** The zone an argument names. Throws `capability_failed` with what may be given instead. */
export function requireZone(name: string, call: CapabilityCall): string {
  const zone = findZone(name);
  if (zone !== null) return zone;
  throw new AppError({
    code: 'capability_failed',
    message:
      call.locale === 'en'
        ? `I do not know the time zone of “${name}”. Name a larger city, a country, or a zone such as Asia/Tokyo.`
        : `不知道“${name}”在哪个时区。请换一个较大的城市、国家，或写成 Asia/Tokyo 这样的时区。`,
    details: { zone: name },
  });
}
