import type { Overload } from '../../../src/plan/functions/function-row.ts'
import { fc } from '../../support/generate.ts'

const generated = <T>(values: fc.Arbitrary<T>, count: number): readonly T[] => fc.sample(values, count)

const integers = (bits: number, signed: boolean): readonly string[] => {
  const [least, most] = signed
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n]
  const others = generated(fc.bigInt({ min: least, max: most }), 2)
  return ['0', '1', signed ? '-1' : '2', '7', `${least}`, `${most}`, ...others.map(String)]
}

const doubles = generated(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), 4).map(String)
const floats = generated(fc.float({ noNaN: true, min: -1000, max: 1000 }), 2).map(String)
const texts = generated(fc.string({ unit: 'grapheme', maxLength: 12 }), 3)
const seconds = generated(fc.integer({ min: -4e9, max: 8e9 }), 3)
const micros = generated(fc.integer({ min: 0, max: 999_999 }), 3)
const instants = seconds.map((second, index) => {
  const text = new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return `${text}.${String(micros[index]).padStart(6, '0')}`
})

const TIMES = [
  '1970-01-01 00:00:00',
  '1969-12-31 23:59:59.999999',
  '2024-02-29 13:45:30.25',
  '0001-01-01 00:00:00',
  '9999-12-31 23:59:59.999999',
  'infinity',
  '-infinity',
  ...instants,
]

/** Values of each type that are easily got wrong, as texts that are cast to it, and some that are generated. The first one is usual. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ['true', 'false'],
  TINYINT: integers(8, true),
  SMALLINT: integers(16, true),
  INTEGER: integers(32, true),
  BIGINT: integers(64, true),
  HUGEINT: integers(127, true),
  UTINYINT: integers(8, false),
  UBIGINT: integers(64, false),
  'DECIMAL(9,3)': ['2.500', '-2.500', '0.000', '0.001', '999999.999', '-999999.999'],
  DOUBLE: [
    '2.5',
    '0.5',
    '-2.5',
    '1',
    '-1',
    '0',
    '-0.0',
    'nan',
    'inf',
    '-inf',
    '1.7976931348623157e308',
    '-1.7976931348623157e308',
    '5e-324',
    '9007199254740993',
    ...doubles,
  ],
  FLOAT: ['2.5', '-2.5', '0', '-0.0', 'nan', 'inf', '-inf', '3.4028235e38', '1e-45', ...floats],
  VARCHAR: [
    'float-04',
    '',
    'a',
    ' x ',
    'Größe ÄÖß',
    'e\u0301',
    '日本語',
    '👩‍🔬 😀',
    'a\u0000b',
    'ab'.repeat(700),
    ...texts,
  ],
  BLOB: ['abc', '', '\\x00\\xFF', 'ab'.repeat(700)],
  BIT: ['101', '0', '1'.repeat(70)],
  DATE: ['2024-02-29', '1970-01-01', '1969-12-31', '0001-01-01', '9999-12-31', 'infinity', '-infinity'],
  TIME: ['13:45:30.25', '00:00:00', '23:59:59.999999'],
  'TIME WITH TIME ZONE': ['13:45:30.25+00', '00:00:00+05:30'],
  TIMESTAMP: TIMES,
  TIMESTAMP_S: TIMES,
  TIMESTAMP_MS: TIMES,
  TIMESTAMP_NS: ['2024-02-29 13:45:30.123456789', '1969-12-31 23:59:59.999999999', '1970-01-01 00:00:00'],
  'TIMESTAMP WITH TIME ZONE': TIMES.map((time) => (time.endsWith('infinity') ? time : `${time}+00`)),
  INTERVAL: ['1 day', '1 month', '0 days', '-1 month 2 days', '36:00:00.5', '-00:00:00.000001'],
  'INTEGER[]': ['[4, 5, 6]', '[]', '[1, NULL, 1]', '[NULL]'],
  'FLOAT[]': ['[0.5]', '[]'],
  'DOUBLE[]': ['[0.5, 2]', '[]'],
  'TIMESTAMP[]': ["['2024-02-29']", '[]'],
  'VARCHAR[]': ["['b', 'a']", '[]', "[NULL, '']"],
  'INTEGER[][]': ['[[1, 2], [3]]', '[]', '[[], NULL]'],
}

/** The types that are given for one that stands for several. A list of it is a list of them. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  ANY: ['INTEGER', 'VARCHAR', 'DOUBLE', 'TIMESTAMP'],
  NUMBER: ['INTEGER', 'BIGINT', 'UTINYINT', 'DECIMAL(9,3)', 'FLOAT', 'HUGEINT'],
  INTEGRAL: ['TINYINT', 'BIGINT', 'UBIGINT'],
}

const PARTS =
  'year quarter month week day hour minute second millisecond microsecond decade century millennium isoyear'
const quoted = (words: string): readonly string[] => words.split(' ').map((word) => `'${word}'`)

/** Parameters that get constants: functions take nothing else, or would take much time and memory for others. */
const CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  aggregate: quoted('count min list'),
  arrow_type: ["'Utf8'", "'Float64'", "'Boolean'"],
  base: ['2', '16', '36', '1', '37'],
  code: ['65', '233', '128512', '-1', '1114112'],
  count: ['3', '0', '-2', 'NULL'],
  digits: ['2', '0', '-2', 'NULL'],
  format: ["'%Y-%m-%d %H:%M:%S'", "'%H'"],
  formats: ["['%Y-%m-%d', '%H']"],
  group: ['0', '1'],
  index: ['2', '0', '-1', 'NULL'],
  least: ['0.5'],
  length: ['3', '0', '-1', 'NULL', '12'],
  nulls: quoted('NULLS_FIRST').map((text) => text.replace('_', ' ')),
  options: ["''", "'i'"],
  order: quoted('ASC DESC'),
  part: quoted(PARTS),
  pattern: ["'a'", "'[0-9]+'", "''", "'(b)|(ö)'"],
  step: ['2', '-1'],
  zone: quoted('Europe/Paris UTC America/New_York'),
}

/** Columns of parameters for which some values are errors of whole statements, that TRY does not catch. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  day: ['29', '31', '0'],
  hour: ['13', '24'],
  minute: ['45', '60'],
  month: ['2', '13'],
  width: ['1 day', '1 month', '06:00:00', '00:00:00.000007'],
}

/** Functions that take texts of times, and mention them twice: DuckDB casts them outside of TRY. */
const TAKING_TIMES_AS_TEXT: ReadonlySet<string> = new Set(['date_format', 'to_char'])

/** Those of one function. */
const OWN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  array_to_string: { separator: ["'-'", "''"] },
  // One format: TRY does not catch an error of what two calls have in common.
  date_format: { format: ["'%F %T%.f'"] },
  to_char: { format: ["'%e %b %Y %k:%M:%S %f'"] },
  decode: { format: ["'hex'", "'base64'"] },
  encode: { format: ["'hex'", "'base64'"] },
  format: { format: ["'{}'", "'{:>9}|'"] },
  printf: { format: ["'%s'", "'%9s|'"] },
  strftime: { format: ["'%Y-%m-%d %H:%M:%S.%f %j'", "'%a %b %-d %y %I %p %U %%'"] },
}

/** An argument: constants, each tried on its own, or values of a type, which a column has. */
export type Argument =
  | { readonly kind: 'constant'; readonly values: readonly string[] }
  | { readonly kind: 'column'; readonly type: string; readonly values: readonly string[] }

/** What is given to an overload of a function, once for each choice of types. Throws a RangeError if there are no values for it. */
export function argumentsOf(
  name: string,
  { parameters, isVariadic }: Overload,
): readonly (readonly Argument[])[] {
  const all = isVariadic ? [...parameters, ...parameters.slice(-1)] : parameters
  const several = all.map(({ type }) => itemOf(type)).find((type) => type in SAMPLES)
  const samples = several === undefined ? [''] : (SAMPLES[several] ?? [])
  const few = all.length > 3 ? 3 : all.length > 2 ? 5 : Number.POSITIVE_INFINITY
  const lists = samples.map((sample) =>
    all.map((parameter): Argument => {
      const constants = OWN[name]?.[parameter.name] ?? CONSTANTS[parameter.name]
      if (constants !== undefined) return { kind: 'constant', values: constants }
      const item = itemOf(parameter.type)
      const type = item === several ? parameter.type.replace(item, sample) : parameter.type
      const isTime = TAKING_TIMES_AS_TEXT.has(name) && type === 'VARCHAR'
      const values = isTime ? TIMES : (COLUMNS[parameter.name] ?? VALUES[type] ?? [])
      return { kind: 'column', type, values: values.slice(0, few) }
    }),
  )
  const whole = lists.filter((args) => args.every(({ values }) => values.length > 0))
  if (whole.length === 0) throw new RangeError(`there are no values for ${name}`)
  return whole
}

/** The type of the innermost items of a list. */
function itemOf(type: string): string {
  return type.replace(/(\[\])+$/, '')
}

/** All ways to take one of each list. */
export function choices<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (before, list) => before.flatMap((start) => list.map((each) => [...start, each])),
    [[]],
  )
}

/** A text as a literal of SQL that is cast to a type. A null is one, too. */
export function literalOf(value: string | null, type: string): string {
  if (value === null) return `CAST(NULL AS ${type})`
  if (type.endsWith(']')) return `CAST(${value} AS ${type})`
  const text = value.split('\u0000').map((part) => `'${part.replaceAll("'", "''")}'`)
  return `CAST(${text.join(' || chr(0) || ')} AS ${type})`
}
