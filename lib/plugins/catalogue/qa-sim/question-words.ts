import type { Filter, Grouping, Measure, Subject } from './question.ts';

/** The words by which a question is recognised, over folded text. English words at word boundaries, Chinese ones anywhere. */
type Words<Key extends string> = readonly (readonly [Key, RegExp])[];

const en = (words: string) => `(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`;
const words = (english: string, chinese: string) => new RegExp(`${en(english)}|${chinese}`, 'u');

export const SUBJECT_WORDS: Words<Subject | 'tools'> = [
  [
    'usage',
    words(
      'tokens?|costs?|spend|spent|spending|expenses?|model calls?|model usage',
      '令牌|词元|费用|花费|花了|成本|开销|用量|模型调用|[tT]oken',
    ),
  ],
  ['calls', words('(?:tool |capability )?calls?|invocations?', '调用')],
  ['documents', words('documents?|docs?|knowledge base', '文档|资料|知识库')],
  ['runs', words('runs?|requests?|executions?|questions? asked', '运行|执行|请求|提问')],
  ['tools', words('tools?|capabilit(?:y|ies)', '工具|能力')],
  [
    'members',
    words(
      'members?|people|persons?|users?|colleagues?|admins?|administrators?|owners?|auditors?|builders?',
      '成员|用户|人员|同事|人数|管理员|所有者|拥有者|审计员|构建者|多少人|几个人',
    ),
  ],
];

export const MEASURE_WORDS: Words<Measure> = [
  ['latest', words('newest|latest|most recent(?:ly)?|last added', '最新|最近添加|最近新增|最后添加')],
  ['share', words('rates?|percent(?:age)?s?|share|proportion|ratio', '成功率|失败率|比率|比例|占比|百分')],
  ['average', words('average|mean|avg|how long|durations?|how fast|how quick(?:ly)?', '平均|多久|多长|耗时|时长|多快')],
  [
    'top',
    words(
      'most|least|fewest|top|busiest|highest|slowest|longest|biggest|quietest|lowest|fastest|most often',
      '最多|最少|最常|最频繁|最慢|最快|最高|最低|最忙|最大|排名|排行|最活跃|最长',
    ),
  ],
  ['parts', words('break ?down|per|by|each|every|list|daily|distribution|split', '分布|按|各|每天|每个|列出|列一下|明细')],
  [
    'count',
    words('how many|how much|how often|number of|count|total|amount', '多少|几[个次位篇份条名]|数量|总数|次数|总共|一共|总计|总量'),
  ],
];

export const FILTER_WORDS: Words<Filter> = [
  ['timed-out', words('timed out|time ?outs?|time-outs?', '超时')],
  [
    'failed',
    words(
      'fail(?:s|ed|ing|ures?)?|errors?|errored|broke|broken|unsuccessful|went wrong|crash(?:ed|es)?',
      '失败|出错|报错|错误|没成功|未成功|异常',
    ),
  ],
  ['cancelled', words('cancel(?:l?ed|s)?|stopped|aborted', '取消|停止|中止|终止')],
  ['running', words('running|in progress|under way|underway', '正在(?:运行|进行|执行)|进行中|执行中|运行中')],
  ['waiting', words('waiting|pending|on hold', '等待|待处理|待回答')],
  ['succeeded', words('succeed(?:ed|s)?|success(?:es|ful|fully)?|finished|completed|went well|ok', '成功|完成')],
  ['changed', words('changed?|updated?|edited|modified', '修改|更新|编辑|改过|改动')],
  ['added', words('added|new|created|uploaded|joined|written|imported', '新增|添加|新加|上传|加入|新建|新来')],
];

export const GROUPING_WORDS: Words<Grouping> = [
  [
    'error',
    words(
      'why|reasons?|causes?|error codes?|kinds? of errors?|which errors?|common errors?',
      '为什么|原因|错误码|哪种错误|什么错误|哪些错误',
    ),
  ],
  [
    'capability',
    words(
      '(?:which|what|by|per|each|every|top|slowest|the most used|most used) (?:tools?|capabilit(?:y|ies))',
      '(?:哪个|哪些|什么|按|各|每个|最[常慢快忙多].{0,3}的?)(?:个)?(?:工具|能力)|(?:工具|能力).{0,2}(?:排名|排行|分布)',
    ),
  ],
  [
    'person',
    words(
      'who|whose|(?:which|what|by|per|each|every|most active) (?:members?|persons?|people|users?|colleagues?)',
      '谁|(?:哪个|哪位|哪些|按|各|每个|每位|最活跃的)(?:成员|用户|人|同事)',
    ),
  ],
  ['day', words('(?:which|what|by|per|each|every|busiest|quietest) (?:week)?days?|daily|day by day', '哪一?天|按天|按日|每天|每日|逐日')],
  ['preset', words('presets?|assistants?', '预设|助手')],
  ['role', words('roles?', '角色')],
  ['language', words('languages?', '语言|语种')],
  ['domain', words('domains?|areas?', '领域')],
  ['model', words('(?:which|what|by|per|each|every) models?', '(?:哪个|哪些|什么|按|各|每个)模型')],
  ['state', words('outcomes?|(?:by|per|each) (?:states?|status(?:es)?)', '结果|状态|情况')],
];

/** Words for the built-in roles, by key. */
export const ROLE_WORDS: Words<string> = [
  ['owner', words('owners?', '所有者|拥有者')],
  ['admin', words('admins?|administrators?', '管理员')],
  ['builder', words('builders?', '构建者')],
  ['auditor', words('auditors?', '审计员')],
];

export const COMPARISON = words(
  'compar(?:e|ed|ison|ing)|versus|vs|against|than|difference|trend|went up|gone up|went down|increase[ds]?|decrease[ds]?|more or less',
  '相比|对比|比较|比上|比前|环比|同比|增长|增加了|减少了|变化|趋势',
);
export const LEAST = words('least|fewest|quietest|lowest|fastest|smallest', '最少|最低|最快|最小');
export const SLOW = words('slow(?:est|er)?|fast(?:est|er)?|long(?:est|er)?|durations?|time|quick(?:est)?', '最?慢|最?快|耗时|时长|最长');
export const MINE = words('my|mine|i', '我(?!们)|本人');
export const TOOK_PART = words('active|ask(?:ed|s)?|us(?:e|ed|es|ing)|ran|run', '活跃|提问|使用|用过|问过|用了');
export const USED = words(
  'us(?:e|ed|es|age)|called|popular|favou?rites?|busy|ran|fail(?:s|ed|ures?)?|errors?|slow(?:est)?|fast(?:est)?',
  '用|调用|失败|出错|报错|慢|快|热门|常用',
);
export const SPENT = words('costs?|spend|spent|spending|expenses?|money', '费用|花费|花了|成本|开销|钱');
export const PEOPLE = words('how many (?:different )?(?:people|persons|members|users|colleagues)', '多少人|几个人|多少用户|多少成员');
export const TOKENS = words('tokens?', '令牌|词元|[tT]oken');
export const HELP = words(
  'help|what can (?:you|i|we) (?:answer|ask|do|tell)(?: me| you)?|what do you (?:know|do)|how do i use (?:this|you)|what questions?',
  '帮助|你?能回答什么|可以问什么|能问什么|你会什么|你能做什么|怎么用|能查什么|可以查什么',
);

/** The key of the first entry whose words the text has, with the words. */
export function findWord<Key extends string>(entries: Words<Key>, text: string): { readonly key: Key; readonly word: string } | null {
  for (const [key, pattern] of entries) {
    const word = pattern.exec(text)?.[0];
    if (word !== undefined) return { key, word };
  }
  return null;
}
