import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import { isServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { wholeColumn } from '../../../../plan/source/whole.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { FileGroup } from '../../../learned/store/block-summary.ts'
import { type FileBlock, sizesOf, wholeOf } from '../../../learned/store/file-block.ts'
import type { StoredLayout } from '../../../learned/store/stored-layout.ts'
import { type ColumnInFile, type ColumnsInFile, columnsIn } from '../column-in-file.ts'
import { requireFitting } from '../schema/require-fitting.ts'
import { createKnownAggregate } from '../whole/known-aggregate.ts'
import { knownInRows } from '../whole/known-in-file.ts'
import { NO_VERSION } from './folder-lists.ts'
import { type LearnedIndex, rowsOfLayout, valuesOfLayout } from './learned-index.ts'
import type { AskedOfMany, AskedSums, SummedFiles } from './remaining-files.ts'

/** Adds up what is learned of files all of whose rows pass. */
export interface KnownSums {
  /** False: what is learned of a file does not tell the sums. */
  readonly areKnown: boolean
  /** Adds the files of a group. False: nothing is added, since it takes more than what is known of them together. */
  addGroup(group: FileGroup, constants: FileRef['constants']): boolean
  /** Adds a file. False: nothing is added, since the number of its rows is not known. */
  addFile(block: FileBlock, row: number, constants: FileRef['constants']): boolean
  /** What is learned of some files cannot be read. */
  giveUp(): void
  /** Null: they are not known. */
  summed(): SummedFiles | null
}

/** More different schemas are not sent to main. */
const MOST_SCHEMAS = 64

export function createKnownSums(
  index: LearnedIndex,
  { relation, schema, partitions }: Pick<AskedOfMany, 'relation' | 'schema' | 'partitions'>,
  { aggregates, columns, named }: AskedSums,
): KnownSums {
  const sums = aggregates.map(createKnownAggregate)
  const namedInFiles = named.filter((name) => !partitions.some((each) => each.name === name))
  const schemas = new Set<Schema>()
  const rowsBySizes = new Map<string, number | null>()
  let files = 0
  let allRows = 0
  let areKnown = true

  function rowsOf(layoutId: number, layout: StoredLayout, sizes: readonly number[]): number | null {
    const key = `${layoutId} ${sizes.join(' ')}`
    const cachedRows = rowsBySizes.get(key)
    if (cachedRows !== undefined) return cachedRows
    const rows = rowsOfLayout(layout, sizes, namedInFiles)
    rowsBySizes.set(key, rows)
    return rows
  }

  /** Whether files with this schema have the columns in types that fit into the table. */
  const fits = (ofFile: Schema, constants: FileRef['constants']): boolean => {
    const file = { path: '', location: '', version: NO_VERSION, ...(constants && { constants }) }
    try {
      requireFitting(relation, schema, [file], [{ schema: ofFile }], namedInFiles)
      return true
    } catch (error) {
      if (isServiceError(error)) return false
      throw error
    }
  }

  /** What the aggregates over some rows are. Null: what is known of the columns is not enough. */
  function valuesOf(
    inFile: ColumnsInFile,
    rows: number,
    knownOf: (column: ColumnInFile) => KnownColumn | null,
  ): readonly (Scalar | null)[] | null {
    const values: (Scalar | null)[] = []
    for (const each of aggregates) {
      const ofRows = createKnownAggregate(each)
      const column = each.column === null ? null : inFile.get(each.column)
      if (column === undefined || !ofRows.add(column && knownOf(column), rows)) return null
      values.push(ofRows.value())
    }
    return values
  }

  function add(ofFiles: Schema, constants: FileRef['constants'], count: number, rows: number): void {
    areKnown &&= fits(ofFiles, constants)
    files += count
    allRows += rows
    schemas.add(ofFiles)
  }

  function addValues(values: readonly (Scalar | null)[] | null): void {
    areKnown &&= values !== null && sums.every((sum, nth) => sum.addValue(values[nth] ?? null))
  }

  const columnsOf = (ofFiles: Schema, constants: FileRef['constants']): ColumnsInFile =>
    columnsIn({ schema: ofFiles, ...(constants && { constants }) }, { columns })

  return {
    get areKnown() {
      return areKnown
    },
    addGroup(group, constants) {
      const [ofFiles, layout] = [index.schemaOf(group.schema), index.layoutOf(group.layout)]
      if (ofFiles === null || layout === null) return false
      const bySizes: RowsOfFiles[] = []
      let rows = 0
      for (const { sizes, files: count } of group.sizes) {
        const rowsOfFile = rowsOf(group.layout, layout, sizes)
        if (rowsOfFile === null) return false
        rows += count * rowsOfFile
        bySizes.push({ sizes, rows: rowsOfFile, files: count })
      }
      if (!Number.isSafeInteger(rows)) return false
      const values = valuesOf(columnsOf(ofFiles, constants), rows, (column) =>
        column.index === null ? column.of(null, rows) : knownInGroup(group, layout, bySizes, column),
      )
      if (values === null) return false
      add(ofFiles, constants, group.files, rows)
      addValues(values)
      return true
    },
    addFile(block, row, constants) {
      const layoutId = block.layouts[row] ?? 0
      const [ofFile, layout] = [index.schemaOf(block.schemas[row] ?? 0), index.layoutOf(layoutId)]
      const rows = layout && rowsOf(layoutId, layout, sizesOf(block, row))
      if (ofFile === null || rows === null) return false
      add(ofFile, constants, 1, rows)
      if (rows === 0) return true
      const whole = wholeOf(block, row)
      addValues(
        valuesOf(columnsOf(ofFile, constants), rows, (column) => knownInRows({ whole }, column, rows)),
      )
      return true
    },
    giveUp() {
      areKnown = false
    },
    summed() {
      if (!areKnown || schemas.size > MOST_SCHEMAS || !Number.isSafeInteger(allRows)) return null
      return { files, rows: allRows, values: sums.map((sum) => sum.value()), schemas: [...schemas] }
    },
  }
}

interface RowsOfFiles {
  readonly sizes: readonly number[]
  readonly rows: number
  readonly files: number
}

/** What is known of a column in all rows of the files of a group. Null: each file has to be asked. */
function knownInGroup(
  { whole }: FileGroup,
  layout: StoredLayout,
  bySizes: readonly RowsOfFiles[],
  { index, of }: ColumnInFile,
): KnownColumn | null {
  const column = index === null ? null : wholeColumn(whole, index)
  if (column === null || index === null) return null
  const { values, statistics } = column
  let expectedValues = 0
  let rows = 0
  for (const { sizes, rows: rowsOfFile, files } of bySizes) {
    const valuesOfFile = valuesOfLayout(layout, sizes, index)
    // Of a file without rows its values would count.
    if (valuesOfFile === null || valuesOfFile === 0 || rowsOfFile === 0) return null
    if (rowsOfFile % valuesOfFile !== 0) return null
    // Each null is in several rows, of which the number differs.
    if (statistics.nulls !== 0 && rowsOfFile !== valuesOfFile) return null
    expectedValues += files * valuesOfFile
    rows += files * rowsOfFile
  }
  return expectedValues === values ? of(statistics, rows) : null
}
