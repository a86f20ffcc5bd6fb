import { all, create, type Unit } from 'mathjs';
import type { UnitConverter } from '../builtin/ports.ts';

/** Names of ours that mathjs calls otherwise. */
const MATHJS_NAMES: Readonly<Record<string, string>> = {
  celsius: 'degC',
  fahrenheit: 'degF',
  kelvin: 'K',
  tonne: 'tonne',
  floz: 'fluidounce',
  kcal: 'kcal',
  kB: 'kB',
  byte: 'byte',
  hectare: 'hectare',
  litre: 'l',
};

/** Units that mathjs lacks. Chinese market units: 1 jin = 500 g, 1 li = 500 m, 1 mu = 2000/3 m². */
const OWN_UNITS: Readonly<Record<string, string>> = {
  jin: '500 g',
  li: '500 m',
  mu: `${2000 / 3} m2`,
  nauticalMile: '1852 m',
  lightyear: '9460730472580800 m',
  knot: `${1852 / 3600} m/s`,
  kcal: '4184 J',
};

export function createMathjsUnitConverter(): UnitConverter {
  const math = create(all ?? {}, {});
  for (const [name, definition] of Object.entries(OWN_UNITS)) if (!math.Unit.isValuelessUnit(name)) math.createUnit(name, definition);
  const toUnit = (name: string): Unit => math.unit(MATHJS_NAMES[name] ?? name);
  return {
    async convert({ value, from, to }) {
      const source = math.unit(value, MATHJS_NAMES[from] ?? from);
      const target = toUnit(to);
      if (!source.equalBase(target)) return null;
      return source.toNumber(MATHJS_NAMES[to] ?? to);
    },
  };
}
