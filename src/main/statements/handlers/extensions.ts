import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { CatalogTable } from '../../catalog/catalog.ts'
import type { Definition } from '../../catalog/definition.ts'
import {
  EXTENSION_KINDS,
  type Extension,
  type ExtensionKind,
  type Extensions,
  presetsOf,
  printExtensions,
} from '../../catalog/extensions/extension.ts'
import { readExtension, readKind } from '../../catalog/extensions/read-extension.ts'
import { parseJson } from '../../json/json.ts'
import { checkMembers, readMembers } from '../../json/shape.ts'
import { presetFilters } from '../../query/request/preset.ts'
import type { DropExtension, SetExtension, SetExtensions, ShowExtensions } from '../../sql/grammar/node.ts'
import type { RunCommand, StatementContext, WriteQuery } from '../context.ts'
import { targetTable } from '../target-name.ts'
import { columnsOfRows, describedColumns, tableOfName } from '../write/described-columns.ts'
import { writeRows } from '../write/write-rows.ts'
import { unknownTable } from './show.ts'

/** SET EXTENSION: stores an extension beside the definition of a table or a view, in place of that of the same kind. */
export const setExtension: RunCommand<SetExtension> = async (node, context) => {
  const kind = readKind(node.extension, 'SET EXTENSION')
  const value = parseText(node.json)
  await changeExtensions(node, context, (extensions, { columns }) => ({
    ...extensions,
    [kind]: extensionOf(kind, value, columns),
  }))
}

/** SET EXTENSIONS: stores all extensions of a table or a view at once, in place of those that it has. */
export const setExtensions: RunCommand<SetExtensions> = async (node, context) => {
  const members = readMembers(parseText(node.json), '')
  checkMembers(members, EXTENSION_KINDS, '')
  await changeExtensions(node, context, (_, { columns }) =>
    Object.fromEntries(
      EXTENSION_KINDS.filter((kind) => members.has(kind)).map((kind) => [
        kind,
        extensionOf(kind, members.get(kind), columns),
      ]),
    ),
  )
}

function extensionOf(kind: ExtensionKind, value: unknown, columns: Schema | null): Extension {
  const extension = readExtension(kind, value, columns)
  // An operator that cannot compare with its value is an error now, and not of the first query.
  for (const preset of presetsOf({ [kind]: extension })) presetFilters(preset)
  return extension
}

/** DROP EXTENSION: the table has none of this kind any more, also if it had none before. */
export const dropExtension: RunCommand<DropExtension> = async (node, context) => {
  const kind = readKind(node.extension, 'DROP EXTENSION')
  await changeExtensions(node, context, ({ [kind]: _, ...others }) => others)
}

/** SHOW EXTENSIONS: one row with the extensions of a table or a view as JSON, `{}` without any. */
export const showExtensions: WriteQuery<ShowExtensions> = async ({ name }, context) => {
  const of = { kind: 'name', name } as const
  const table = tableOfName(name, context)
  if (table === null) {
    // A query says what other callers may be told: the same of what is not there and of what they may not read.
    if (!context.caller.isSuperUser) await columnsOfRows(of, context)
    throw unknownTable(name)
  }
  // As above, of a view over files that the caller may not read.
  if (!context.caller.rights.isEverything) await describedColumns(of, context)
  const extensions = printExtensions(table.definition?.extensions ?? {})
  return writeRows([{ name: 'extensions', type: 'VARCHAR' }], [[extensions]])
}

/** Changes the extensions of a table or a view. `change` is called when all earlier changes have been made. */
async function changeExtensions(
  node: SetExtension | SetExtensions | DropExtension,
  context: StatementContext,
  change: (extensions: Extensions, table: CatalogTable) => Extensions,
): Promise<void> {
  const { catalog, signal } = context
  await catalog.change(() => {
    const table = targetTable(node.name, context)
    if (table.definition === null)
      throw new ServiceError(
        'not_supported',
        `${JSON.stringify(table.name)} is a table of the service itself, which has no extensions.`,
        { about: table.name },
      )
    const { extensions = {}, ...rest } = table.definition
    const next = Object.freeze(change(extensions, table))
    const definition: Definition = Object.freeze({
      ...rest,
      ...(Object.keys(next).length > 0 && { extensions: next }),
    })
    return [{ kind: 'put', definition }]
  }, signal)
}

function parseText(json: string): unknown {
  try {
    return parseJson(json)
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw new ServiceError(error.code, error.message.replace(/^The query/, 'The text behind TO'), {
      cause: error,
    })
  }
}
