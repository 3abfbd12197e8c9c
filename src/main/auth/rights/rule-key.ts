import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Rule } from '../directory/directory.ts'

/** A key that is equal for equal rules: names of tables are compared as SQL compares them, globs as they are written. */
export function ruleKey({ effect, target }: Rule): string {
  switch (target.kind) {
    case 'all':
      return JSON.stringify([effect, 'all'])
    case 'table':
      return JSON.stringify([effect, 'table', foldSqlName(target.schema), foldSqlName(target.name)])
    case 'path':
      return JSON.stringify([effect, 'path', target.glob])
  }
}
