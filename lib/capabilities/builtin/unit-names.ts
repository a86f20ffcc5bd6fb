/** What a unit measures; only units of one dimension convert into each other. */
export type Dimension = 'length' | 'mass' | 'volume' | 'area' | 'temperature' | 'time' | 'speed' | 'data' | 'energy' | 'pressure';

/** By dimension and canonical name (the converter's own): the English name shown, others, and last the Chinese name shown. */
const NAMES: Readonly<Record<Dimension, Readonly<Record<string, string>>>> = {
  length: {
    km: 'kilometres, kilometers, kilometre, kilometer, km, kms, 千米, 公里',
    m: 'metres, meters, metre, meter, m, 公尺, 米',
    cm: 'centimetres, centimeters, centimetre, centimeter, cm, cms, 公分, 厘米',
    mm: 'millimetres, millimeters, millimetre, millimeter, mm, 毫米',
    mile: 'miles, mile, mi, 英里',
    yard: 'yards, yard, yd, 码',
    foot: 'feet, foot, ft, 英尺',
    inch: 'inches, inch, 吋, 英寸',
    nauticalMile: 'nautical miles, nautical mile, 海里',
    lightyear: 'light years, light-year, light year, 光年',
    li: 'li (Chinese miles), 华里',
  },
  mass: {
    kg: 'kilograms, kilogram, kilogrammes, kg, kgs, kilo, kilos, 千克, 公斤',
    g: 'grams, gram, grammes, g, 克',
    mg: 'milligrams, milligram, mg, 毫克',
    tonne: 'tonnes, tonne, metric tons, metric ton, ton, tons, 公吨, 吨',
    lb: 'pounds, pound, lb, lbs, 磅',
    oz: 'ounces, ounce, oz, 盎司',
    stone: 'stone, stones, 英石',
    jin: 'jin, catty, catties, 市斤, 斤',
  },
  volume: {
    l: 'litres, liters, litre, liter, l, 公升, 升',
    ml: 'millilitres, milliliters, millilitre, milliliter, ml, cc, 毫升',
    m3: 'cubic metres, cubic meters, cubic metre, cubic meter, m3, m³, 立方米',
    gallon: 'US gallons, gallons, gallon, gal, 加仑',
    pint: 'US pints, pints, pint, 品脱',
    cup: 'US cups, cups, cup, 量杯, 杯',
    tablespoon: 'tablespoons, tablespoon, tbsp, 汤匙',
    teaspoon: 'teaspoons, teaspoon, tsp, 茶匙',
    floz: 'fluid ounces, fluid ounce, fl oz, 液量盎司',
  },
  area: {
    m2: 'square metres, square meters, square metre, square meter, sqm, m2, m², 平米, 平方米',
    km2: 'square kilometres, square kilometers, square kilometre, square kilometer, km2, km², 平方千米, 平方公里',
    sqft: 'square feet, square foot, sq ft, sqft, 平方英尺',
    acre: 'acres, acre, 英亩',
    hectare: 'hectares, hectare, 公顷',
    mu: 'mu (Chinese acres), 市亩, 亩',
  },
  temperature: {
    celsius: 'degrees Celsius, Celsius, centigrade, degC, °C, ℃, C, 摄氏, 摄氏度',
    fahrenheit: 'degrees Fahrenheit, Fahrenheit, degF, °F, ℉, F, 华氏, 华氏度',
    kelvin: 'kelvin, kelvins, K, 开尔文',
  },
  time: {
    second: 'seconds, second, sec, secs, 秒钟, 秒',
    minute: 'minutes, minute, min, mins, 分钟',
    hour: 'hours, hour, hr, hrs, 个小时, 小时',
    day: 'days, day, 天',
    week: 'weeks, week, 个星期, 星期, 周',
  },
  speed: {
    'km/h': 'kilometres per hour, kilometers per hour, km/h, kmh, kph, 每小时公里, 千米每小时, 公里每小时',
    'mile/h': 'miles per hour, mph, 英里每小时',
    'm/s': 'metres per second, meters per second, m/s, 米每秒',
    knot: 'knots, knot, 节',
  },
  data: {
    byte: 'bytes, byte, 字节',
    kB: 'kilobytes, kilobyte, kB, 千字节',
    MB: 'megabytes, megabyte, MB, 兆字节, 兆',
    GB: 'gigabytes, gigabyte, GB, 吉字节',
    TB: 'terabytes, terabyte, TB, 太字节',
  },
  energy: {
    joule: 'joules, joule, 焦耳',
    kcal: 'kilocalories, kilocalorie, kcal, calories, calorie, 大卡, 千卡, 卡路里',
    kWh: 'kilowatt hours, kilowatt-hours, kWh, 度电, 千瓦时',
  },
  pressure: {
    bar: 'bar, bars, 巴',
    psi: 'psi, 磅力每平方英寸',
    atm: 'atmospheres, atmosphere, atm, 标准大气压, 大气压',
    kPa: 'kilopascals, kPa, 千帕',
  },
};

/** Units by canonical name, with what people call them in English and Chinese. */
export const UNIT_NAMES: Readonly<Record<string, { readonly dimension: Dimension; readonly words: readonly string[] }>> =
  Object.fromEntries(
    (Object.entries(NAMES) as [Dimension, Readonly<Record<string, string>>][]).flatMap(([dimension, units]) =>
      Object.entries(units).map(([unit, words]) => [unit, { dimension, words: words.split(', ') }] as const),
    ),
  );
