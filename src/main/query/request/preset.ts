import type { Preset, PresetFilter } from '../../catalog/extensions/extension.ts'
import type { Filter } from './filters/filter.ts'
import { readFilterList } from './filters/read-filters.ts'

/** The filters of a preset, as a query would write them. Throws `invalid_query` for a value that its operator cannot compare with. */
export function presetFilters({ name, filters }: Preset): readonly Filter[] {
  return readFilterList(filters.map(inLanguage), `preset ${JSON.stringify(name)}`)
}

const MEMBERS = {
  '=': 'eq',
  '!=': 'neq',
  '<': 'lt',
  '<=': 'lt_eq',
  '>': 'gt',
  '>=': 'gt_eq',
  in: 'in',
} as const

/** A filter in the JSON language. */
function inLanguage({ column, op, value }: PresetFilter): Readonly<Record<string, unknown>> {
  if (op !== 'between') return { column, [MEMBERS[op]]: value }
  const [low, high] = value as readonly unknown[]
  return { column, gt_eq: low, lt_eq: high }
}
