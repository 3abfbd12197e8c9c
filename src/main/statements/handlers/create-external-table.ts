import { declaredColumns } from '../../catalog/declared-columns.ts'
import { sourceOf } from '../../catalog/sources/source-of.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { RunCommand } from '../context.ts'
import { storeDefinition } from '../store-definition.ts'
import { newName } from '../target-name.ts'

/**
 * CREATE EXTERNAL TABLE: finds the columns of a table in its files, or checks those that it is declared with against all of them, and
 * stores its definition.
 */
export const createExternalTable: RunCommand<CreateExternalTable> = async (node, context) => {
  const { formats, queries, caller, signal, notices } = context
  const name = newName(node.name, node.ifExists, context)
  if (name === null) return
  const source = sourceOf(node, formats)
  // Datasets that are folders have no partitions.
  const isOfFiles = formats.row(source.format.kind).storage.kind !== 'folder'
  const onNotice = (notice: string): void => void (isOfFiles && notices.add(notice))
  const columns = await queries.columnsOf(
    { name, source, declared: declaredColumns(node), onNotice },
    caller,
    signal,
  )
  const statement = Object.freeze({
    ...node,
    name: Object.freeze({ catalog: null, schema: null, name }),
    ifExists: 'fail',
  } as const)
  // Reading files takes a while, in which another statement may have created a table of this name.
  const isWanted = (): boolean => newName(node.name, node.ifExists, context) !== null
  await storeDefinition(async () => Object.freeze({ statement, columns }), isWanted, context)
}
