import { ServiceError } from '../../../plan/errors.ts'
import type { SourceColumn } from '../../../plan/scan.ts'
import type { Omitted } from '../../../plan/source/omitted.ts'
import type { RunRange } from '../../../plan/source/range.ts'
import { list, segmentsOf } from '../../../plan/source/segments.ts'
import { field } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { collect, join } from '../collect.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import type {
  ColumnSet,
  LocatedRows,
  LocatingOptions,
  OpenContext,
  OpenFile,
  Provider,
  ReadContext,
} from '../provider.ts'
import { chooseColumns } from '../wanted-columns.ts'
import { directoryReader } from './directory.ts'
import { type EntryColumn, locateRows } from './entries/locate-rows.ts'
import { hasMagic, readFooter } from './footer.ts'
import { fileIndex } from './pruning/file-index.ts'
import { type ColumnIndex, mergedBounds } from './pruning/pruning-index.ts'
import { runsOf } from './runs.ts'

/** Reads BBF: entries of named arrays, each with a grid of its own. A segment is a run of entries. See docs/reference/bbf.md. */
export const bbf: Provider = Object.freeze({
  sniff: (store: Store) => hasMagic(onlyObject(store)),
  open: (store: Store, context: OpenContext) => locateErrorsInFile(store, TITLE, () => open(store, context)),
})

function open(opened: Store, context: OpenContext): OpenFile {
  const bytes = onlyObject(opened)
  const footer = readFooter(bytes, context)
  const { entries, deleted } = footer
  const directories = directoryReader(bytes, entries, context)
  const all = footer.columns.map(
    ({ name, type, directory }): EntryColumn => ({
      field: field(name, type),
      type,
      directory: locateErrors(`column ${JSON.stringify(name)}`, () => directories(directory)),
    }),
  )
  const columns = all.filter(({ type }) => type.kind !== 'binary')
  const omitted = all
    .filter(({ type }) => type.kind === 'binary')
    .map(({ field: { name } }) => ({ name, what: BINARY }))
  const byName = new Map(columns.map((column) => [column.field.name, column]))
  const schema = { fields: columns.map((column) => column.field), metadata: {} }
  const index = fileIndex(footer.index, entries)
  /** The statistics of columns that were compared. */
  let compared: ReadonlyMap<string, ColumnIndex | null> = new Map()
  let runs = list([])

  /** The columns of these names that the file has. None of them: all columns, if none is named. */
  function columnsNamed(names: readonly string[]): readonly EntryColumn[] {
    if (names.length === 0) return columns
    const wanted = new Set(names)
    return columns.filter(({ field: { name } }) => wanted.has(name))
  }

  function indexOf(name: string, store: Store, context: ReadContext): ColumnIndex | null {
    const column = byName.get(name)
    return column === undefined ? null : index.of(name, column.type, onlyObject(store), context)
  }

  function locate(
    store: Store,
    range: RunRange,
    { from, asked, pruning, isStreamed }: LocatingOptions,
    context: ReadContext,
  ): LocatedRows {
    const { constants = {} } = store.file
    if (!(range.from >= 0 && range.from <= range.to && range.to <= entries))
      throw new RangeError(`no entries ${range.from}..${range.to} of ${entries}`)
    const names = range.rowsOf.filter((name) => !Object.hasOwn(constants, name))
    const rows = locateErrorsInFile(store, TITLE, () =>
      locateRows({
        columns: columnsNamed(names),
        range,
        from,
        asked,
        isStreamed: isStreamed === true,
        deleted,
        pruning,
        prunedColumn: (name) => {
          const column = byName.get(name)
          return column === undefined ? null : { type: column.type, index: indexOf(name, store, context) }
        },
        store,
        context,
      }),
    )
    return {
      ...rows,
      read: (wanted, selection) =>
        locateErrorsInFile(store, TITLE, () => rows.read(chooseColumns(wanted, byName), selection)),
    }
  }

  return {
    schema,
    ...(omitted.length > 0 && { omitted }),
    segments(names, store, context, filtered) {
      requireReadable(names, omitted, store)
      compared = new Map((filtered ?? []).map((name) => [name, indexOf(name, store, context)]))
      runs = runsOf(columns, columnsNamed(names), entries, deleted)
      return runs
    },
    statistics(name) {
      const ofColumn = compared.get(name) ?? index.held(name) ?? null
      return segmentsOf(runs).map(({ entries: range }) =>
        ofColumn === null || range === undefined ? null : mergedBounds(ofColumn, range, deleted),
      )
    },
    typeOf: ({ name }) => byName.get(name)?.type ?? null,
    locate,
    read(store, range, asked, context) {
      if (range.kind !== 'run') throw new RangeError(`a ${range.kind} of a file of entries`)
      return readAll((from) => locate(store, range, { from, asked, pruning: null }, context), asked, context)
    },
  }
}

const TITLE = 'BBF'

const BINARY = 'binary values, of which the file does not say where each begins'

/** All rows of a run. */
function readAll(
  locate: (from: number) => LocatedRows,
  asked: readonly SourceColumn[],
  { core }: ReadContext,
): ColumnSet {
  const parts: Column[][] = asked.map(() => [])
  let rows = 0
  try {
    for (let isLast = false; !isLast; ) {
      const located = locate(rows)
      const columns = located.read(asked)
      for (const [index, column] of columns.entries()) parts[index]?.push(column)
      rows += located.rows
      isLast = located.isLast
    }
    return {
      rows,
      columns: collect(core, (joinedColumns) => {
        for (const each of parts) joinedColumns.push(join(core, each.splice(0)))
      }),
    }
  } finally {
    for (const column of parts.flat()) core.free(column)
  }
}

/** Throws `unknown_column` for a column of another file that this one has, but cannot be read. */
function requireReadable(names: readonly string[], omitted: readonly Omitted[], { file }: Store): void {
  const column = omitted.length === 0 ? undefined : omitted.find(({ name }) => names.includes(name))
  if (column === undefined) return
  throw new ServiceError(
    'unknown_column',
    `"${column.name}" in "${file.path}" holds what no column has: ${column.what}.`,
  )
}
