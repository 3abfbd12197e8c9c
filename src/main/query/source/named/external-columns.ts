import { ServiceError } from '../../../../plan/errors.ts'
import { csvType } from '../../../../plan/format/csv-types.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { withCheckedTypes } from '../../../../plan/format/known-columns.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { type Schema, typeName } from '../../../../plan/types/schema.ts'
import type { LocationSource, RemoteSource } from '../../../catalog/catalog.ts'
import { isRounded } from '../../../remotes/postgres/column-type.ts'
import { NO_COLUMN_FILTER } from '../column-filter.ts'
import { openTable } from '../files-table.ts'
import type { QueryContext } from '../query-context.ts'
import { requireNoneRefused } from '../schema/refused-columns.ts'
import { requireFitting } from '../schema/require-fitting.ts'
import { tableOfLocation } from './location-table.ts'
import { tableOfRemote } from './remote-table.ts'

/** An external table whose columns are to be found. */
export interface NewTable {
  readonly name: string
  readonly source: LocationSource | RemoteSource
  /** The columns that it is declared with. Null: those of its files. */
  readonly declared: Schema | null
  /** Gets what looks as if something else was meant. */
  readonly onNotice?: (notice: string) => void
}

type Finding = Pick<
  QueryContext,
  'summaries' | 'ticket' | 'onAnswer' | 'onObjects' | 'onNotice' | 'findLocated' | 'openRemote'
>

/**
 * The columns of an external table: those of all of its files together, or the declared ones, into which those of each file have to fit.
 * Of a table of another service it is asked for them. Null: they are not declared, and there is no file. Throws `schema_conflict`, which names a file, the column and both types, and what
 * opening the files throws.
 */
export async function findColumns(
  { name, source, declared, onNotice = () => {} }: NewTable,
  context: Finding,
): Promise<Schema | null> {
  if (source.kind === 'remote') {
    const table = tableOfRemote(name, null, source, null, context.openRemote)
    const { schema } = await openTable(table, [], context)
    for (const field of schema.fields.filter(isRounded))
      onNotice(
        `the column ${JSON.stringify(field.name)} is a NUMERIC without a precision, and is read as DOUBLE, which rounds`,
      )
    return schema
  }
  if (declared === null) {
    const table = tableOfLocation(name, null, source, null, context.findLocated)
    const opened = await openTable(table, [], context)
    requireNoneRefused(opened)
    const { files, schema } = opened
    tellFolders(source, files, onNotice)
    return files.length === 0 ? null : schema
  }
  requireTypes(source.format, declared)
  const { files } = await tableOfLocation(name, declared, source, null, context.findLocated).files(
    NO_COLUMN_FILTER,
  )
  tellFolders(source, files, onNotice)
  const format = withCheckedTypes(source.format, declared.fields)
  const wanted = { statistics: [], columns: [] }
  const inspected = await context.summaries.of(format, files, wanted, context.ticket, context.onAnswer)
  requireFitting(name, declared, inspected.files, inspected.summaries, null)
  return declared
}

/** Tells of folders `key=value` below the location of a table that are no columns of it. */
function tellFolders(
  { location, partitions }: LocationSource,
  files: readonly FileRef[],
  onNotice: (notice: string) => void,
): void {
  if (partitions.length > 0) return
  const [above = ''] = /^[^*?[]*/.exec(location) ?? []
  const below = files[0]?.path.slice(above.length).split('/').slice(0, -1) ?? []
  const keys = below.flatMap((folder) => /^([^=]+)=/.exec(folder)?.[1] ?? [])
  if (keys.length === 0) return
  onNotice(
    `the folders ${keys.map((key) => `${key}=…`).join('/')} are no columns; PARTITIONED BY (${keys.join(', ')}) makes them columns`,
  )
}

/** Throws `not_supported` for a type as which no text is read. */
function requireTypes({ layout }: FileFormat, { fields }: Schema): void {
  if (layout !== 'text') return
  const other = fields.find(({ type }) => csvType(typeName(type)) === null)
  if (other !== undefined)
    throw new ServiceError(
      'not_supported',
      `The column "${other.name}" is ${typeName(other.type)}, as which text is not read; declare it as VARCHAR or DOUBLE, and cast it in a view.`,
    )
}
