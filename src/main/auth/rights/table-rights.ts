import { memoize } from '../../../plan/memoize.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Rule } from '../directory/directory.ts'
import type { Rights } from './rights.ts'

/** Whether a table or a view may be read, by its names with the letters A to Z in lower case. */
export type TableTest = (schema: string, name: string) => boolean

/**
 * Decides which tables and views may be read, in time that does not depend on the number of rules. Of a view it is the right to the view alone,
 * not to what it reads.
 */
export const tableTest = memoize(({ isEverything, rules }: Rights): TableTest => {
  if (isEverything) return () => true
  const grants = tablesOf(rules.filter(({ effect }) => effect === 'grant'))
  const denies = tablesOf(rules.filter(({ effect }) => effect === 'deny'))
  if (denies.areAll || (!grants.areAll && grants.names.size === 0)) return () => false
  return (schema, name) => {
    const key = keyOf(schema, name)
    return (grants.areAll || grants.names.has(key)) && !denies.names.has(key)
  }
})

/** The tables that rules apply to: all, or those of some names. */
function tablesOf(rules: readonly Rule[]): { readonly areAll: boolean; readonly names: ReadonlySet<string> } {
  return {
    areAll: rules.some(({ target }) => target.kind === 'all'),
    names: new Set(
      rules.flatMap(({ target }) =>
        target.kind === 'table' ? [keyOf(foldSqlName(target.schema), foldSqlName(target.name))] : [],
      ),
    ),
  }
}

/** No name has a zero byte. */
function keyOf(schema: string, name: string): string {
  return `${schema}\0${name}`
}
