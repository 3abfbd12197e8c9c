import { ServiceError } from '../../../plan/errors.ts'
import { declaredColumns } from '../../catalog/declared-columns.ts'
import { sourceOf, withLogin } from '../../catalog/sources/source-of.ts'
import type { Refresh } from '../../sql/grammar/node.ts'
import type { RunCommand } from '../context.ts'
import { storeDefinition } from '../store-definition.ts'
import { targetTable } from '../target-name.ts'

/**
 * REFRESH: stores the columns that the files of a table have now. If there are no files, the columns stay what they are. If columns are
 * declared, those of all files are checked against them again.
 */
export const refresh: RunCommand<Refresh> = async (node, context) => {
  const { formats, queries, caller, signal } = context
  const { name, type, definition } = targetTable(node.name, context)
  const statement = definition?.statement
  if (statement?.kind !== 'create_external_table')
    throw new ServiceError(
      'not_supported',
      `REFRESH is only supported for external tables; ${JSON.stringify(name)} is ${type === 'VIEW' ? 'a view, which follows its tables' : 'none'}.`,
    )
  const source = withLogin(sourceOf(statement, formats), definition?.login)
  const inferredColumns = await queries.columnsOf(
    { name, source, declared: declaredColumns(statement) },
    caller,
    signal,
  )
  const columns = inferredColumns ?? definition?.columns ?? null
  // Reading files takes a while, in which another statement may have replaced the table.
  const isWanted = (): boolean => {
    if (targetTable(node.name, context).definition?.statement === statement) return true
    throw new ServiceError(
      'table_changed',
      `The table ${JSON.stringify(name)} was replaced meanwhile; ask again.`,
    )
  }
  await storeDefinition(async () => Object.freeze({ ...definition, statement, columns }), isWanted, context)
}
