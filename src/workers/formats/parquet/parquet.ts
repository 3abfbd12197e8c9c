import { columnsOf } from '../../../plan/expression.ts'
import { memoize } from '../../../plan/memoize.ts'
import { isSmallFile } from '../../../plan/source/file.ts'
import { list, type Segment } from '../../../plan/source/segments.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { PackColumn } from '../../../wasm/core/parquet-pack.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { locateErrors, locateErrorsInFile, unreadable } from '../error-location.ts'
import type { OpenFile, Provider } from '../provider.ts'
import { rowsOfSegment } from '../ranges.ts'
import { chooseColumns } from '../wanted-columns.ts'
import { asAsked, flatKindOf } from './decode/flat-kind.ts'
import { planChunk } from './decode/plan-chunk.ts'
import { readColumns as readRows } from './decode/read.ts'
import type { ReadLimits } from './limits.ts'
import { type Chunk, decodedBytes, readChunks } from './metadata/chunks.ts'
import { hasMagic, readFooter } from './metadata/footer.ts'
import { type Column, flatLeaf, readColumns, schemaOf } from './metadata/schema.ts'
import { createPageMaps } from './pages/page-maps.ts'
import type { FilterColumn } from './statistics/absent-values.ts'
import { possibleRows } from './statistics/possible-rows.ts'
import { createSmallSummaries } from './statistics/small-summaries.ts'
import { columnStatistics } from './statistics/statistics.ts'

/** Reads Apache Parquet (parquet-format 2.12). A segment is a row group. */
export function createParquet(limits: ReadLimits): Provider {
  const small = createSmallSummaries()
  return {
    sniff: (store) => hasMagic(onlyObject(store)),
    open: (store, { core }) =>
      locateErrorsInFile(store, 'Parquet', () => {
        const { file, columns } = open(store, limits)
        if (isSmallFile(store.file)) small.learn(onlyObject(store), columns, core)
        return file
      }),
    summarize: (store, { core }) => small.of(onlyObject(store), core),
  }
}

export const parquet = createParquet({ smallChunk: 4 << 20, indexedChunk: 64 << 10, together: 32 << 20 })

function open(
  opened: Store,
  limits: ReadLimits,
): { readonly file: OpenFile; readonly columns: readonly Column[] } {
  const { path } = opened.file
  const bytes = onlyObject(opened)
  const metadata = readFooter(bytes)
  const columns = readColumns(metadata)
  const groups = readChunks(metadata, columns, bytes.size)
  const byName = columnsByName(columns)
  const schema = schemaOf(columns)
  const pages = createPageMaps()

  const segments = list(
    metadata.rowGroups.map(({ rows }, i): Segment => segmentOf(rows, groups[i] ?? [], columns)),
  )
  const file: OpenFile = {
    schema,
    segments: () => segments,
    statistics(name) {
      const column = byName.get(name)
      return locateErrors(unreadable(path, 'Parquet'), () =>
        groups.map((chunks) => {
          const chunk = column && flatChunk(column, chunks)
          return chunk && chunk.rows > 0 ? columnStatistics(chunk.leaf, chunk.metaData) : null
        }),
      )
    },
    typeOf({ name, type }) {
      const stored = byName.get(name)
      return stored === undefined ? null : asAsked(stored, type).field.type
    },
    prune(store, { segment, from, to }, filter, columns, context) {
      const names = columnsOf(filter)
      const filterColumns = columns.flatMap((column): FilterColumn[] => {
        if (!names.includes(column.name)) return []
        const stored = byName.get(column.name)
        if (stored === undefined) return [{ column, chunk: null }]
        const chunk = flatChunk(stored, groups[segment] ?? [])
        // Statistics are of the type that is stored.
        const isShort = asAsked(stored, column.type) !== stored
        return chunk ? [{ column: isShort ? stored.field : column, chunk }] : []
      })
      const source = onlyObject(store)
      return context.stopwatch.time('filter', () =>
        possibleRows(filter, filterColumns, { from, to }, limits, pages, source, context),
      )
    },
    together(asked, store, { core }) {
      const packed = asked.map((column) => packColumn(byName.get(column.name), column.type))
      if (!packed.every((each) => each !== null)) return null
      const source = onlyObject(store)
      const pack = core.parquetPack(source.read(0, source.size), packed)
      if (pack === null) return null
      return {
        ...pack,
        add: ({ memory, at, size, range, rows }) =>
          range.kind === 'rows' &&
          range.segment === 0 &&
          range.from === 0 &&
          pack.add(memory.subarray(at, at + size), rows),
      }
    },
    read(store, range, asked, context, selection, areValuesWanted = false) {
      const { segment, from, to } = rowsOfSegment(range, (group) => metadata.rowGroups[group]?.rows)
      const chunks = groups[segment] ?? []
      const rows = metadata.rowGroups[segment]?.rows ?? 0
      const wanted = chooseColumns(asked, byName).map((column, index) =>
        asAsked(column, asked[index]?.type ?? column.field.type),
      )
      // Only for a whole row group: pages may hold rows outside of a smaller range, whose values would be taken for seen.
      const areValuesEnough = areValuesWanted && asked.length === 1 && to - from === rows
      if (from === to)
        return { rows: 0, columns: wanted.map(({ field }) => context.core.constant(field.type, null, 0)) }
      const source = onlyObject(store)
      return locateErrorsInFile(store, 'Parquet', () =>
        locateErrors(`row group ${segment}`, () => {
          const plans = wanted.map((column) => {
            // All rows of a column with several leaves are read. Its leaves have different pages, so leaving some out would
            // leave rows that have values in one leaf and not in another.
            const selected = column.leaves.length === 1 ? (selection ?? null) : null
            const wouldKeep = selected?.wouldKeep?.(column.field) ?? false
            const rows = { from, to, selection: selected, wouldKeep, areValuesEnough }
            const plan = (chunk: Chunk) => planChunk(chunk, rows, limits, pages, source, context)
            return {
              column,
              chunks: column.leaves.flatMap(({ index }) => chunks.slice(index, index + 1).map(plan)),
            }
          })
          return readRows(plans, from, to, limits.together, source, context)
        }),
      )
    },
  }
  return { file, columns }
}

const columnsByName = memoize(
  (columns: readonly Column[]) => new Map(columns.map((column) => [column.field.name, column])),
)

/** A column as the core reads it in a pack. Null: it is nested, or of a type that the core does not read. */
function packColumn(stored: Column | undefined, asked: DataType): PackColumn | null {
  if (stored === undefined) return null
  const column = asAsked(stored, asked)
  const leaf = flatLeaf(column)
  if (leaf === null) return null
  const kind = flatKindOf(column, leaf)
  const { type: physical } = leaf.element
  if (kind === null || physical === undefined || leaf.maxDefinition > 1) return null
  return { ...kind, leaf: leaf.index, physical, isOptional: leaf.maxDefinition > 0 }
}

/** The chunk of a flat column. Undefined: the column is nested, so that statistics of its leaves say nothing about its rows. */
function flatChunk(column: Column, chunks: readonly Chunk[]): Chunk | undefined {
  const leaf = flatLeaf(column)
  return leaf === null ? undefined : chunks[leaf.index]
}

function segmentOf(rows: number, chunks: readonly Chunk[], columns: readonly Column[]): Segment {
  const sum = (column: Column, of: (chunk: Chunk) => number): number =>
    column.leaves.reduce((total, { index }) => {
      const chunk = chunks[index]
      return chunk === undefined ? total : total + of(chunk)
    }, 0)
  return {
    rows,
    decodedBytes: columns.map((column) => sum(column, decodedBytes)),
    storedBytes: columns.map((column) => sum(column, (chunk) => chunk.length)),
  }
}
