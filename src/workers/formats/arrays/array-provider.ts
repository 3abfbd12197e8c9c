import { ServiceError } from '../../../plan/errors.ts'
import { isSmallFile } from '../../../plan/source/file.ts'
import { elementsOf } from '../../../plan/source/grid.ts'
import { type BoxRange, type RowRange, rowsIn } from '../../../plan/source/range.ts'
import { NO_WHOLE_COLUMNS } from '../../../plan/source/whole.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Store } from '../../store/store.ts'
import { collect, join } from '../collect.ts'
import { locateErrorsInFile } from '../error-location.ts'
import type { OpenFile, Provider } from '../provider.ts'
import { alikeFiles } from './alike.ts'
import { arrangeColumns } from './arranged.ts'
import type { ArrayFile, ArrayReader } from './array-file.ts'
import { type ArrayOptions, optionsFor } from './array-options.ts'
import type { GridBox } from './box/box-spec.ts'
import { boxOf } from './box/grid-box.ts'
import { type Reading, readArray, readArrayOfBoxes } from './box/read-array.ts'
import { addStatistics, type ReadColumn } from './chunked/add-statistics.ts'
import { chunkedColumns } from './chunked/chunked-columns.ts'
import { type ArrayColumn, type ArraysColumn, schemaOf } from './columns.ts'
import { readGathered } from './ragged/read-gathered.ts'
import { fileStructure } from './structure/file-structure.ts'
import { createArraysTogether } from './together.ts'
import { wholeColumns, wholePlaces } from './whole-columns.ts'

/** Makes rows of the arrays of a file: one for each element of the grid of the columns that are named. */
export function createArrayProvider(reader: ArrayReader, options: ArrayOptions): Provider {
  return {
    sniff: (store) => reader.sniff(store),
    ...(reader.openedBefore !== undefined && {
      alike: alikeFiles(reader, options),
      together: (wanted, context) => createArraysTogether(wanted, reader, options, context),
    }),
    open: (store, context) =>
      locateErrorsInFile(store, reader.title, () => open(reader, reader.open(store, context), options)),
    structure: (store, context) =>
      locateErrorsInFile(store, reader.title, () => fileStructure(reader.structure(store, context), options)),
  }
}

function open(reader: ArrayReader, file: ArrayFile, options: ArrayOptions): OpenFile {
  const { title } = reader
  const decided = optionsFor(file, options)
  const { statistics = [] } = decided
  const { columns, dimensions, gridOf, isCounted, layout } = arrangeColumns(file, decided)
  const chunked = chunkedColumns(file, columns, statistics, dimensions)
  const omitted = new Map(file.omitted?.map(({ name, what }) => [name, what]))
  return {
    get schema() {
      return schemaOf(columns)
    },
    keptColumns: columns.size,
    omitted: file.omitted ?? [],
    unknownNames: statistics.filter((name) => !columns.has(name)),
    segments: (names, store, context, compared = []) =>
      locateErrorsInFile(store, title, () => {
        requireNoneOmitted(names, columns, omitted, store)
        const grid = gridOf(names.length === 0 ? null : names, compared, { file, store, context })
        const namesWithStatistics = chunked === null ? [] : (compared ?? []).filter(chunked.has)
        return namesWithStatistics.length === 0 ? grid : { ...grid, chunkStatistics: namesWithStatistics }
      }),
    layout,
    statistics: () => [],
    ...(chunked !== null && { chunked }),
    whole: (names, store, context, others) =>
      // An object of a folder that is read here would define the dataset from then on.
      isCounted
        ? NO_WHOLE_COLUMNS
        : wholeColumns(columns, names, isSmallFile(store.file), { file, store, context }, others),
    wholePlaces: (store, context) => (isCounted ? [] : wholePlaces(columns, { file, store, context })),
    typeOf: ({ name }) => columns.get(name)?.type ?? null,
    read: (store, range, wanted, context) =>
      locateErrorsInFile(store, title, () => {
        const box = boxOf(range, dimensions)
        const columns = collect(context.core, (collected) => {
          for (const { name } of wanted) {
            context.checkCancelled()
            collected.push(readBox({ file, store, context }, name, range, box))
          }
        })
        return { rows: elementsOf({ shape: box.extent }), columns }
      }),
    readBoxes: (store, ranges, wanted, context) =>
      locateErrorsInFile(store, title, () => {
        const boxes = ranges.map((range) => boxOf(range, dimensions))
        return collect(context.core, (collected) => {
          for (const { name } of wanted) {
            context.checkCancelled()
            const reading = { file, store, context }
            collected.push(readAtOnce(reading, name, boxes) ?? readOneByOne(reading, name, ranges))
          }
        })
      }),
  }

  function columnNamed(name: string): ArraysColumn {
    const column = columns.get(name)
    if (column === undefined) throw new RangeError(`no column ${name}`)
    return column
  }

  /** `box`: that of the range. */
  function readBox(reading: Reading, name: string, range: RowRange, box: GridBox): Column {
    const column = columnNamed(name)
    const rows = elementsOf({ shape: box.extent })
    // The statistics of a chunk are made of all of it, so that it is needed again.
    const hasStatistics = range.kind === 'box' && chunked?.has(name) === true
    const values = columnOf(reading, column, hasStatistics ? withoutOwn(box) : box, rows)
    if (!hasStatistics) return values
    const { store, context } = reading
    try {
      addStatistics(chunked, readColumn(reading, column, range, values, dimensions), store, context)
      return values
    } catch (error) {
      context.core.free(values)
      throw error
    }
  }

  /** The column of boxes one after the other. Null: it is put together of those of each box. */
  function readAtOnce(reading: Reading, name: string, boxes: readonly GridBox[]): Column | null {
    const column = columnNamed(name)
    if (column.kind !== 'array' || column.lookup !== undefined || column.type.kind === 'dictionary')
      return null
    if (chunked?.has(name) === true) return null
    return readArrayOfBoxes(reading, column, boxes)
  }

  function readOneByOne(reading: Reading, name: string, ranges: readonly BoxRange[]): Column {
    const { core, checkCancelled } = reading.context
    const each = collect(core, (collected) => {
      for (const range of ranges) {
        checkCancelled()
        collected.push(readBox(reading, name, range, boxOf(range, dimensions)))
      }
    })
    return join(core, each)
  }
}

function readColumn(
  reading: Reading,
  column: ArraysColumn,
  range: BoxRange,
  values: Column,
  dimensions: readonly string[],
): ReadColumn {
  const { name, type } = column
  const read = (part: BoxRange): Column =>
    columnOf(reading, column, boxOf(part, dimensions), rowsIn(part) ?? 0)
  return { name, type, range, column: values, read }
}

/** Throws `unknown_column` for a column of another file that is not null here, but of a type that no column has. */
function requireNoneOmitted(
  names: readonly string[],
  columns: ReadonlyMap<string, ArraysColumn>,
  omitted: ReadonlyMap<string, string>,
  { file }: Store,
): void {
  const name = names.find((each) => omitted.has(each) && !columns.has(each))
  if (name === undefined) return
  throw new ServiceError(
    'unknown_column',
    `"${name}" in "${file.path}" holds what no column has: ${omitted.get(name)}.`,
  )
}

function columnOf(reading: Reading, column: ArraysColumn, box: GridBox, rows: number): Column {
  const { core } = reading.context
  if (column.kind === 'attribute') return core.constant(column.type, column.value, rows)
  const { lookup } = column
  if (lookup !== undefined) return readGathered(reading, column, lookup, box)
  if (column.type.kind !== 'dictionary') return readArray(reading, column, box)
  return core.constant(column.type, onlyValue(reading, column, column.type.value), rows)
}

/** The value of an array without dimensions. */
function onlyValue(reading: Reading, column: ArrayColumn, type: DataType): Scalar | null {
  const { core } = reading.context
  const single = readArray(reading, column, { names: [], origin: [], extent: [] })
  try {
    return core.valueAt(single, type, 0)
  } finally {
    core.free(single)
  }
}

function withoutOwn({ names, origin, extent }: GridBox): GridBox {
  return { names, origin, extent }
}
