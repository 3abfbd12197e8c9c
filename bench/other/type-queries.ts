import type { BenchQuery } from '../queries/queries.ts'
import { filter, ordered } from './query.ts'

const ALL_TYPES = [
  'id',
  ...['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f32', 'f64', 'dec9', 'dec18', 'dec38'],
  ...['day', 'ts', 'ts_ms', 'ts_ns', 'tz', 'tm', 'b', 'word', 'text', 'raw', 'rare', 'never', 'same'],
]

/** Columns of types that both engines order. */
const EXTREMES = ALL_TYPES.filter((name) => name !== 'b' && name !== 'raw')

/** The queries over data sets with all types. */
export const TYPES: readonly BenchQuery[] = [
  {
    key: 'everything',
    sql: ({ t }) => `SELECT ${ALL_TYPES.join(', ')} FROM ${t}`,
    json: { select: ALL_TYPES },
    agreement: 'multiset',
  },
  filter('i8_between', 'i8 BETWEEN -5 AND 5', [{ column: 'i8', min: -5, max: 5 }], ['id', 'i8', 'word']),
  filter('i16_neq', 'i16 <> 0 AND i16 > 32000', [
    { column: 'i16', neq: 0 },
    { column: 'i16', gt: 32000 },
  ]),
  filter('i64_less', 'i64 < -9000000000000000000', undefined, ['id', 'i64']),
  filter('u64_greater', 'u64 > 18000000000000000000', undefined, ['id', 'u64']),
  filter('u32_in', 'u8 IN (0, 1, 255) OR u16 = 65535', undefined, ['id', 'u8', 'u16']),
  filter('f32_greater', 'f32 > 990', [{ column: 'f32', gt: 990 }], ['id', 'f32']),
  filter('f64_less', 'f64 <= -990', [{ column: 'f64', lt_eq: -990 }], ['id', 'f64']),
  filter('f64_zero', 'f64 = 0', [{ column: 'f64', eq: 0 }], ['id', 'f64']),
  filter('f64_nan', "f64 = 'nan'::DOUBLE", [{ column: 'f64', eq: 'nan' }], ['id', 'f64']),
  filter('f32_not', 'NOT (f32 < 500 OR f32 > 600)', undefined, ['id', 'f32']),
  filter(
    'dec9_between',
    'dec9 BETWEEN 1.5 AND 99.99',
    [{ column: 'dec9', min: 1.5, max: 99.99 }],
    ['id', 'dec9'],
  ),
  filter(
    'dec18_equal',
    'dec18 >= 120000000.1250',
    [{ column: 'dec18', gt_eq: '120000000.1250' }],
    ['id', 'dec18'],
  ),
  filter('dec38_less', 'dec38 < -990000000000000000', undefined, ['id', 'dec38']),
  filter(
    'day_between',
    "day BETWEEN DATE '1969-12-30' AND DATE '1970-02-01'",
    [{ column: 'day', min: '1969-12-30', max: '1970-02-01' }],
    ['id', 'day'],
  ),
  filter(
    'ts_from',
    "ts >= TIMESTAMP '2064-06-01 12:00:00'",
    [{ column: 'ts', min: '2064-06-01T12:00:00' }],
    ['id', 'ts', 'ts_ms', 'ts_ns', 'tz'],
  ),
  filter(
    'ts_ms_before',
    "ts_ms < TIMESTAMP '1939-01-01'",
    [{ column: 'ts_ms', lt: '1939-01-01' }],
    ['id', 'ts_ms'],
  ),
  filter('ts_ns_before', "ts_ns < TIMESTAMP_NS '1939-01-01 00:00:00.000000001'", undefined, ['id', 'ts_ns']),
  filter('tm_from', "tm > TIME '23:30:00'", [{ column: 'tm', gt: '23:30:00' }], ['id', 'tm']),
  filter('b_true', "b AND word = 'é'", [
    { column: 'b', eq: 'true' },
    { column: 'word', eq: 'é' },
  ]),
  filter('b_not', "NOT b AND word >= 'north'", undefined, ['id', 'b', 'word']),
  filter('word_in', "word IN ('', '日本', 'absent') AND i8 > 100", undefined, ['id', 'word']),
  filter(
    'text_between',
    "text BETWEEN 'station 4' AND 'station 41'",
    [{ column: 'text', min: 'station 4', max: 'station 41' }],
    ['id', 'text'],
  ),
  filter('raw_equal', "raw = encode('raw 77')", [{ column: 'raw', eq: 'raw 77' }], ['id', 'raw']),
  filter('rare_not_null', 'rare IS NOT NULL', [{ is_not_null: { column: 'rare' } }], ['id', 'rare', 'text']),
  filter('never_null', 'never IS NULL AND i32 IS NULL', [
    { is_null: { column: 'never' } },
    { is_null: { column: 'i32' } },
  ]),
  filter('nothing', 'same = 8 OR never = 1', [
    {
      or: [
        { column: 'same', eq: 8 },
        { column: 'never', eq: 1 },
      ],
    },
  ]),
  filter(
    'mixed',
    "(i32 > 0 AND (f64 < 0 OR word IS NULL)) OR (dec9 IS NULL AND NOT text = 'station 1')",
    undefined,
    ['id', 'i32', 'f64', 'word', 'dec9', 'text'],
  ),
  ordered('counts', ({ t }) => `SELECT ${ALL_TYPES.map((name) => `count(${name}) AS ${name}`)} FROM ${t}`),
  ordered('extremes', ({ t }) => {
    const list = EXTREMES.map((name) => `min(${name}) AS lo_${name}, max(${name}) AS hi_${name}`)
    return `SELECT ${list} FROM ${t}`
  }),
  ordered(
    'sums',
    ({
      t,
    }) => `SELECT sum(i8) AS a, sum(i16) AS b, sum(i32) AS c, sum(u8) AS d, sum(u32) AS e, sum(dec9) AS f,
      sum(dec18) AS g, sum(dec38) AS h, sum(never) AS i, avg(i32) AS j, avg(dec18) AS k, avg(never) AS l FROM ${t}`,
  ),
  ordered(
    'spread',
    ({ t }) => `SELECT word, stddev(i16) AS a, stddev_pop(dec9) AS b, var_samp(u32) AS c, var_pop(i8) AS d,
      count(DISTINCT i8) AS e, count(DISTINCT text) AS f, count(DISTINCT day) AS g FROM ${t}
      GROUP BY word ORDER BY word NULLS FIRST`,
  ),
  ordered(
    'two_keys',
    ({ t }) => `SELECT word, b, count(*) AS n, sum(i32) AS a, min(day) AS d, max(ts) AS e, avg(dec18) AS f,
      count(f32) AS g FROM ${t} GROUP BY word, b ORDER BY word NULLS LAST, b NULLS FIRST`,
  ),
  ordered(
    'three_keys',
    ({ t }) => `SELECT i8, u8, b, count(*) AS n, max(text) AS last FROM ${t} WHERE i8 BETWEEN -3 AND 3
      GROUP BY i8, u8, b HAVING count(*) > 2 ORDER BY n DESC, i8, u8 NULLS FIRST, b NULLS LAST LIMIT 500`,
  ),
  ordered(
    'key_float',
    ({ t }) => `SELECT f32, count(*) AS n FROM ${t} WHERE f32 > 995 OR f32 < -999 OR f32 = 0
      GROUP BY f32 ORDER BY n DESC, f32 NULLS LAST LIMIT 20`,
  ),
  ordered(
    'key_decimal',
    ({ t }) => `SELECT dec38, day, count(*) AS n FROM ${t} GROUP BY dec38, day
      ORDER BY n DESC, dec38 NULLS FIRST, day NULLS LAST LIMIT 100`,
  ),
  ordered(
    'distinct_pairs',
    ({ t }) => `SELECT DISTINCT word, b FROM ${t} ORDER BY word NULLS LAST, b NULLS LAST`,
    {
      select: ['word', 'b'],
      distinct: { on: ['word', 'b'], select: ['word', 'b'] },
      sort_by: [{ Asc: 'word' }, { Asc: 'b' }],
    },
  ),
  ordered(
    'distinct_raw',
    ({ t }) => `SELECT count(*) AS n FROM (SELECT DISTINCT raw, i8 FROM ${t} WHERE u8 < 20) sub`,
  ),
  ordered(
    'top_float',
    ({ t }) => `SELECT id, f64, word FROM ${t} ORDER BY f64 DESC NULLS LAST, id DESC NULLS LAST LIMIT 300`,
    { select: ['id', 'f64', 'word'], sort_by: [{ Desc: 'f64' }, { Desc: 'id' }], limit: 300 },
  ),
  ordered(
    'top_text',
    ({ t }) =>
      `SELECT text, id FROM ${t} ORDER BY text NULLS FIRST, id DESC NULLS LAST LIMIT 100 OFFSET 9950`,
  ),
  ordered(
    'top_decimal',
    ({ t }) => `SELECT dec38, dec9, id FROM ${t} ORDER BY dec38 NULLS LAST, id NULLS LAST LIMIT 50`,
    { select: ['dec38', 'dec9', 'id'], sort_by: [{ Asc: 'dec38' }, { Asc: 'id' }], limit: 50 },
  ),
  ordered(
    'top_by_three',
    ({ t }) => `SELECT word, b, day, id FROM ${t}
      ORDER BY word DESC NULLS LAST, b NULLS LAST, day DESC NULLS LAST, id NULLS LAST LIMIT 1000`,
    {
      select: ['word', 'b', 'day', 'id'],
      sort_by: [{ Desc: 'word' }, { Asc: 'b' }, { Desc: 'day' }, { Asc: 'id' }],
      limit: 1000,
    },
  ),
  ordered('sort_all', ({ t }) => `SELECT u64, i64, id FROM ${t} ORDER BY u64 NULLS FIRST, id NULLS LAST`),
]
