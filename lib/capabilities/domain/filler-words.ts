/** English words that carry no topic: left out of the index and of queries. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its itself is am are was were be been being do does did doing done have has had having
  will would shall should can could may might must ought i me my mine myself we us our ours you your yours he him his she her hers they
  them their what which who whom whose when where why how and or but nor if then so than too very just also only of to in on at by for
  from with about as into onto up down out off over under again once any some all both each few more most other such no not own same
  please pls plz thanks thank hi hello hey ok okay well oh let lets get got give gave show tell say want wanna need like gonna d ll m re
  s t ve don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain cannot im id ill whats thats theres hows wheres
  dont cant kindly could help able much many long us per via etc yes yeah really actually maybe something anything know think see`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Chinese words that carry no topic. Matched longest first, so that longer real words protect the characters in them. */
export const CHINESE_STOP_WORDS: readonly string[] =
  `请问 请 帮我 帮忙 帮 麻烦 麻烦你 劳驾 谢谢 谢谢你 多谢 你好 您好 我想 我要 我想要 我想知道 想知道 想问 想问一下 问一下 问下 告诉我 给我 一下 一个 一些 可以 能不能
  可不可以 能否 可否 是否 是不是 有没有 有什么 什么 怎么 怎样 怎么样 如何 哪些 哪个 哪里 哪儿 哪 这个 那个 这些 那些 这 那 这里 那里 我们 你们 他们 她们 咱们 我 你 您 他 她 它
  的 了 吗 呢 吧 啊 呀 嘛 哦 哈 么 得 地 着 过 是 也 都 就 还 很 再 又 才 会 要 想 能 让 把 被 给 对 跟 与 及 和 或 或者 以及 然后 接着 还有 另外 顺便 同时 如果 因为 所以 但是 关于 有关
  不过 而且 并且 大概 大约 现在的 应该 需要 必须 到底 究竟 为什么 为何 多 个 呗 哎 嗯 请你 一共 总共 多少 多少钱 一张 一份 一本 一页 一位 一种 一件 一场 几张 几本 几个 几次 几页 几位 到 在 有 吗 上 下 里 中 说`
    .split(/\s+/)
    .filter((word) => word !== '');

/** Chinese words that contain a stop word and mean something: never taken apart. */
export const CHINESE_KEPT_WORDS: readonly string[] =
  `现在 目的 目的地 的士 了解 酒吧 网吧 吧台 就业 就餐 就诊 就读 首都 成都 都市 还款 还书 归还 还钱 请假 申请 邀请 请求 自我 我校 也门 地址 地图 地点 地区 地铁 外地 当地 场地 基地
  草地 工地 和平 饱和 总和 求和 调和 和谐 暖和 会议 会议室 会员 社会 机会 学生会 协会 晚会 大会 开会 会计 要求 重要 主要 需要证件 想法 理想 能力 功能 性能 技能 能源 对方 对面 对外 对照 针对
  过期 通过 过敏 过程 经过 过户 过滤 得分 得到 获得 取得 给予 供给 跟踪 跟进 参与 给排水 再见 再生 刚才 才能 人才 有效 有限 所有 拥有 国有 没有 多久 多长 多远 多大 多高 多媒体
  个人 个税 个体 上海 上午 上课 上班 上网 网上 晚上 早上 上传 上架 线上 下午 下载 下班 下课 下周 下雨 下雪 下单 下个月 下架 线下 里程 公里 英里 海里 里面 中国 中午 中文 中心 中餐 高中 初中 集中
  说明 说明书 小说 到期 到账 到达 迟到 签到 报到 到货 到站 得克萨斯 内地 存在 在线 在校 在读 在职 不在 所在 着急 着火 与会 及格 以及格 及时 涉及 的确 让座 转让 被子 被褥 把手 是非 还是
  会不会 想念 要点 能量 对账 对比 对换 绝对 过去 超过 说法 学会 一个月`
    .split(/\s+/)
    .filter((word) => word !== '');

/** What people say around a request, at its beginning, in a folded text. Longest first where one begins another. */
export const OPENING_COURTESIES =
  /^(?:[\s,.!;:、。!]+|(?:hi|hello|hey|ok|okay|so|well|um|please|pls|plz|kindly|thanks|thank you|excuse me|sorry)(?![\p{L}\p{N}])|(?:can|could|would|will) (?:you|u|someone|i)(?: please| kindly)?(?: help me(?: to)?| tell me| show me| give me| let me know)?(?![\p{L}\p{N}])|i(?:'d| would)? (?:like|want|need|wish)(?: you)? to(?: know)?(?![\p{L}\p{N}])|(?:help|tell|show|give) me(?: to)?(?![\p{L}\p{N}])|(?:tell me|information|info|anything|something|know) (?:about|on)|let me know|do you know|i wonder|i was wondering(?: if)?|i'm wondering|您好|你好|[你您](?=还|记|知道|能|会|可)|嗨|喂|麻烦(?:您|你)?|劳驾|不好意思|请问(?:一下)?|请(?:您|你)?(?!假|求)|能不能|可不可以|可以|能否|介绍一下|说说|讲讲|帮我|帮忙|帮(?!助)|给我|替我|我(?:想|要)(?:知道|问(?:一下|下)?|了解(?:一下)?)?|想(?:知道|问(?:一下|下)?)|告诉我)+/u;

/** The same at its end. */
export const CLOSING_COURTESIES =
  /(?:[\s,.!?;:、。…~]+|(?<![\p{L}\p{N}])(?:please|pls|plz|thanks|thank you|thx|for me|ok|okay)|谢谢(?:你|您)?|多谢|好吗|可以吗|行吗|吗|呢|吧|呀|啊|哦|嘛|一下)+$/u;

/** Words between a request and the text it is about, left out of that text at its beginning. */
export const TEXT_OPENERS =
  /^(?:[\s,.:;、。-]+|(?:that|to|into|in|of|for|about|with|is|are|the following(?: text| sentence| message)?|this(?: text| sentence| message)?|the (?:text|sentence|word|words|phrase|message)|saying|down|me|back|after me)(?![\p{L}\p{N}'])|把|将(?!来|要|军|近)|让(?!座)|下面(?:的|这)?(?:这段|这句|句|段)?(?:话|文字|内容)?|以下(?:内容|文字)?|这(?:句|段)(?:话|文字)?|这个(?:词|词语)|一下|一遍|说(?![明法服谎])|关于)+/u;

/** The same at its end. */
export const TEXT_CLOSERS =
  /(?:[\s,.:;、。?]+|(?<![\p{L}\p{N}])(?:in|into|to|as|please|for me|back to me|to me|mean|means)|这(?:句|段)(?:话|文字)|这个(?:词|词语)|请(?:你|您)?|帮我|麻烦(?:你|您)?|[用成为的里中有是]|一下)+$/u;
