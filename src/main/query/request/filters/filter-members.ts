import type { Comparison } from '../../../../plan/condition/compare.ts'
import type { Match } from '../../../../plan/condition/pattern.ts'
import { type MemberHints, type Synonyms, synonymsOf } from '../../../json/shape.ts'

/** The members of filters, each with all of its spellings, the first of which is the one that messages suggest. */

export const COLUMN = ['column', 'for_query_parameter']
export const LONGITUDE = ['longitude_column', 'longitude_query_parameter']
export const LATITUDE = ['latitude_column', 'latitude_query_parameter']
export const LOW = ['gt_eq', 'min', 'low']
export const HIGH = ['lt_eq', 'max', 'high']
export const EQ = ['eq']
export const NEQ = ['neq', 'not_eq', 'not_equal']

export const COMPARISONS: readonly (readonly [Comparison, readonly string[]])[] = [
  ['eq', EQ],
  ['neq', NEQ],
  ['gt', ['gt']],
  ['gt_eq', LOW],
  ['lt', ['lt']],
  ['lt_eq', HIGH],
]

export const LISTS = ['in', 'not_in'] as const
export const MATCHES: readonly Match[] = ['like', 'ilike', 'regex']

/** The members that compare a column. */
export const OPERATORS: readonly string[] = [
  ...COMPARISONS.flatMap(([, spellings]) => spellings),
  ...LISTS,
  ...MATCHES,
]

/** The members that test a point. */
export const POINT: readonly string[] = [...LONGITUDE, ...LATITUDE, 'geometry']

export const NULL_TESTS: ReadonlyMap<string, 'is_null' | 'is_not_null'> = new Map([
  ['is_null', 'is_null'],
  ['is_not_null', 'is_not_null'],
  ['skip_fill_values', 'is_not_null'],
  ['skip_missing', 'is_not_null'],
])

/** The members that stand alone in their object. */
export const ALONE: readonly string[] = ['and', 'or', 'not', ...NULL_TESTS.keys()]

/** The members that may stand together in one object. All of them hold. */
export const TOGETHER: readonly string[] = [...COLUMN, ...OPERATORS, ...POINT]

/** Members, and the words of other query languages that mean them, in lower case. */
const SYNONYMS: readonly Synonyms[] = [
  [['column'], ['field', 'name']],
  [['eq'], ['=', '==', 'equal', 'equals']],
  [['neq'], ['!=', '<>', 'ne']],
  [['gt'], ['>']],
  [['gt_eq'], ['>=', 'gte', 'ge']],
  [['lt'], ['<']],
  [['lt_eq'], ['<=', 'lte', 'le']],
  [
    ['min', 'max'],
    ['bbox', 'between', 'box', 'range'],
  ],
  [['min'], ['from', 'lower', 'minimum', 'since']],
  [['max'], ['to', 'maximum', 'until', 'upper']],
  [['and'], ['all']],
  [['or'], ['any']],
  [['is_null'], ['isnull', 'null']],
  [['is_not_null'], ['exists', 'isnotnull', 'not_null', 'notnull']],
  [['in'], ['one_of']],
  [['not_in'], ['nin']],
  [['like'], ['contains', 'starts_with', 'ends_with']],
  [['regex'], ['regexp', 'matches', '~']],
  [['longitude_column'], ['lon', 'longitude']],
  [['latitude_column'], ['lat', 'latitude']],
  [['geometry'], ['geojson', 'polygon', 'shape']],
]

/** What messages about unknown members of a filter need to know. */
export const HINTS: MemberHints = Object.freeze({
  synonyms: synonymsOf(SYNONYMS),
  listed: [
    ...[COLUMN, ...COMPARISONS.map(([, spellings]) => spellings)].flatMap((spellings) =>
      spellings.slice(0, 1),
    ),
    ...LISTS,
    ...MATCHES,
    ...['longitude_column', 'latitude_column', 'geometry', 'and', 'or', 'not', 'is_null', 'is_not_null'],
  ],
})
