import { uniqueMap } from '../unique-map.ts'
import { AGGREGATES } from './aggregates/aggregates.ts'
import { STATISTICS } from './aggregates/statistics.ts'
import { WINDOWS } from './aggregates/windows.ts'
import { CASTS } from './casts.ts'
import { CONDITIONS } from './conditions.ts'
import type { FunctionFamily, FunctionRow } from './function-row.ts'
import { LISTS } from './lists.ts'
import { ANGLES } from './numbers/angles.ts'
import { NUMBERS } from './numbers/numbers.ts'
import { POWERS } from './numbers/powers.ts'
import { SEAWATER } from './oceanography/seawater.ts'
import { VOCABULARIES } from './oceanography/vocabularies.ts'
import { PLACES } from './places.ts'
import { CODES } from './text/codes.ts'
import { REGULAR_EXPRESSIONS } from './text/regular-expressions.ts'
import { SEARCHING } from './text/searching.ts'
import { TEXT } from './text/text.ts'
import { TEXT_PARTS } from './text/text-parts.ts'
import { FIELDS_OF_TIMES } from './times/fields-of-times.ts'
import { MAKING_TIMES } from './times/making-times.ts'
import { PARTS_OF_TIMES } from './times/parts-of-times.ts'
import { STEPS_IN_TIME } from './times/steps-in-time.ts'
import { TIMES } from './times/times.ts'
import { TYPES } from './types.ts'

/** The functions that queries may call, in the order in which the documentation describes them (docs/reference/functions.md). */
export const FUNCTION_FAMILIES: readonly FunctionFamily[] = Object.freeze([
  NUMBERS,
  POWERS,
  ANGLES,
  PLACES,
  SEAWATER,
  VOCABULARIES,
  TEXT,
  TEXT_PARTS,
  SEARCHING,
  REGULAR_EXPRESSIONS,
  CODES,
  TIMES,
  PARTS_OF_TIMES,
  FIELDS_OF_TIMES,
  MAKING_TIMES,
  STEPS_IN_TIME,
  CONDITIONS,
  CASTS,
  TYPES,
  LISTS,
  AGGREGATES,
  STATISTICS,
  WINDOWS,
])

/** The functions by their names in lower case. Two of a name are an error. */
export const FUNCTIONS: ReadonlyMap<string, FunctionRow> = uniqueMap(
  FUNCTION_FAMILIES.flatMap(({ rows }) => rows.map((row) => [row.name, row] as const)),
)

/** Functions of DuckDB that make several rows of one, though it lists them with those that make one value. Only SQL has them. */
export const MAKING_ROWS: ReadonlySet<string> = new Set([
  'generate_subscripts',
  'regexp_split_to_table',
  'unnest',
])
