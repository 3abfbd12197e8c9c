import type { Field } from '../../../plan/types/schema.ts'

/**
 * Tells that most columns of an answer are attributes of files of arrays, whose values are written again in each row of a text. Null: no
 * more than half of them are.
 */
export function attributeNotice(fields: readonly Field[]): string | null {
  const names = new Set(fields.map(({ name }) => name))
  const attributes = fields.filter(({ name }) => isAttribute(name, names))
  if (2 * attributes.length <= fields.length) return null
  return `${attributes.length} of the ${fields.length} columns are attributes, with the same value in each row; attributes = false leaves them out`
}

/** Whether a column is `.title`, or `sst.units` beside `sst`. */
function isAttribute(name: string, names: ReadonlySet<string>): boolean {
  const dot = name.indexOf('.')
  if (dot === 0) return true
  for (let at = dot; at > 0; at = name.indexOf('.', at + 1)) if (names.has(name.slice(0, at))) return true
  return false
}
